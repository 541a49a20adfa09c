// The chosen rounds of a run's loops in the address of its page: `?r12=5` is round 5 of the `for each` in line 12.
import type { Round } from '../../../durable/views/run-history.js';

export function readRounds(query: URLSearchParams): Round[] {
  return [...query].flatMap(([name, value]) => {
    const line = /^r(\d{1,6})$/.exec(name)?.[1];
    return line !== undefined && /^[1-9]\d{0,8}$/.test(value) ? [{ line: Number(line), round: Number(value) }] : [];
  });
}

/** `?r12=5`, or empty. */
export function roundsQuery(rounds: readonly Round[], more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams([
    ...rounds.map(({ line, round }): [string, string] => [`r${line}`, String(round)]),
    ...Object.entries(more),
  ]);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The address of a run's page with these rounds. */
export const runAddress = (run: string, rounds: readonly Round[] = []): string => `/console/runs/${run}${roundsQuery(rounds)}`;
