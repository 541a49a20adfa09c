// Sorts the diagnostics of a file by position and limits their number.
import { tooManyErrors } from './catalogue/index.js';
import type { Diagnostic } from './diagnostic.js';

/** No one reads more, and a file of a megabyte could have a hundred thousand. */
const MOST = 1_000;

const byPlace = (one: Diagnostic, other: Diagnostic): number =>
  one.span.start - other.span.start || one.span.end - other.span.end;

/** The first errors and, if there is room, the first warnings. Says if there are more. */
export function firstDiagnostics(found: readonly Diagnostic[]): Diagnostic[] {
  const sorted = [...found].sort(byPlace);
  if (sorted.length <= MOST) return sorted;
  const errors = sorted.filter(({ severity }) => severity === 'error');
  const next = errors[MOST];
  if (next !== undefined) {
    // If the parser gives up, it reports that itself.
    return [...errors.slice(0, MOST), errors.find(({ code }) => code === 'WF013') ?? tooManyErrors(next.span, MOST)];
  }
  const warnings = sorted.filter(({ severity }) => severity === 'warning');
  const room = MOST - errors.length;
  const more = `(${warnings.length - room} more warnings are not shown.)`;
  const shown = warnings.slice(0, room);
  return [
    ...errors,
    ...shown.map((one, index) => (index === room - 1 ? { ...one, message: `${one.message}\n${more}` } : one)),
  ].sort(byPlace);
}
