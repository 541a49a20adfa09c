// `now` of a case → the start of its run.
import type { CasePart } from './case-part.js';

const form = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A date, which begins at midnight UTC, or a moment with its zone: without one it would differ from machine to machine. */
export function readMoment(part: CasePart): Date {
  const text = part.text('2026-03-02T09:30:00Z');
  const match = form.exec(text);
  const moment = new Date(text);
  // `2026-02-30` is read as a day in March.
  const isReal =
    match?.[1] !== undefined &&
    !Number.isNaN(moment.getTime()) &&
    new Date(`${match[1]}T00:00:00Z`).toISOString().startsWith(match[1]);
  if (isReal) return moment;
  throw part.fault(
    `${part.what} is ${JSON.stringify(text)}; expected a date or a moment in UTC`,
    'For example "2026-03-02" or "2026-03-02T09:30:00Z".',
  );
}
