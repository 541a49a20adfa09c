// Finds the call that ended a run, and what its service answered: often, only that says why the run failed.
import type { DurableEngine } from '../durable-engine.js';
import type { JournalEntry } from '../model/journal-views.js';
import type { RunDetail } from '../model/run-views.js';
import type { Effect } from './run-history.js';

export interface FailedCall {
  /** In the journal. */
  readonly position: number;
  /** `undefined` if it had no body. */
  readonly answer: unknown;
  readonly headers?: JournalEntry['headers'];
  /** The sentence of the answer that says what went wrong. */
  readonly said?: string | undefined;
}

/** @param effects of the run. `undefined` if it ended otherwise, or its service did not answer */
export async function failedCall(
  { run, error, status }: Pick<RunDetail, 'run' | 'error' | 'status'>,
  effects: readonly Effect[],
  store: Pick<DurableEngine, 'journal'>,
): Promise<FailedCall | undefined> {
  if (error?.line === undefined || status === 'completed') return undefined;
  const failed = effects.findLast((effect) => effect.kind === 'call' && effect.line === error.line && effect.ok === false);
  if (failed === undefined) return undefined;
  const { entries = [] } = (await store.journal(run, { from: failed.counted, limit: 1 })) ?? {};
  const [entry] = entries;
  if (entry === undefined || (entry.answer === undefined && entry.headers === undefined)) return undefined;
  const { position, answer, headers } = entry;
  return { position, answer, ...(headers === undefined ? {} : { headers }), said: messageIn(answer) };
}

/** Where services usually put it. */
function messageIn(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer.trim() === '' ? undefined : answer.trim();
  if (typeof answer !== 'object' || answer === null) return undefined;
  for (const name of ['message', 'detail', 'error_description', 'error', 'title', 'reason']) {
    const found: string | undefined = Object.hasOwn(answer, name)
      ? messageIn((answer as Record<string, unknown>)[name])
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
