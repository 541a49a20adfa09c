// Reads the `now` of a case: when its run starts.
import type { JsonCursor } from './json-cursor.js';

const form = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A date, which starts at midnight UTC, or a moment with a time zone. Without one, it would differ between machines. */
export function readMoment(part: JsonCursor): Date {
  const text = part.text('2026-03-02T09:30:00Z');
  const match = form.exec(text);
  const moment = new Date(text);
  // JavaScript reads `2026-02-30` as a day in March.
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
