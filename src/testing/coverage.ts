// The places of a workflow and those that its cases reached → the lines that say what is left to test.
import { oneLine } from '../../runtime/one-line.js';
import type { Emitted } from '../compiler/compile.js';

/**
 * `line 19: reject with …`, one for each statement or branch that was never reached, in the order of the file, then how many were. A
 * statement that was not reached stands for the branches that open on its line.
 */
export function coverageLines(reachable: Emitted['reachable'], reached: ReadonlySet<number>, file: string): string[] {
  const missed = reachable.filter((_, index) => !reached.has(index));
  if (missed.length === 0) return reachable.length === 0 ? [] : [`The cases reach every line and branch of ${file}.`];
  const statements = new Set(missed.filter(({ kind }) => kind === 'statement').map(({ line }) => line));
  const shown = missed
    .filter(({ kind, line }) => kind === 'statement' || !statements.has(line))
    .sort((one, other) => one.line - other.line);
  return [
    `No case reaches, in ${file}:`,
    ...shown.map((place) => `    line ${place.line}: ${oneLine(describe(place))}`),
    `${reachable.length - missed.length} of ${reachable.length} lines and branches are reached.`,
  ];
}

/** A branch that is told by its first line alone would read as if that line were never reached: it was, and led elsewhere. */
function describe({ kind, text }: Emitted['reachable'][number]): string {
  return kind === 'branch' && /[:…]$/.test(text) ? `the way into "${text}"` : text;
}
