// Reads a point in time as people filter runs by it: on the command line, over HTTP and in the console.
import { parseMoment } from '../../../runtime/dates/moment.js';

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The forms that `readTimeFilter` takes, for messages. */
export const timeFilterForms =
  'a date such as 2026-03-01, a time such as 2026-03-01T09:30:00Z, or how long ago, such as 2d or 6h';

/**
 * Reads a date or a time in ISO 8601, in UTC unless it has an offset, or how long ago: `30m`, `6h`, `2d`.
 *
 * @returns UTC with milliseconds, the format that stores compare, or `undefined` if it is none of these
 */
export function readTimeFilter(text: string, now: number = Date.now()): string | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return new Date(now - Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString();
  // `Date.parse` takes 2026-02-30 for 2 March.
  if (!ISO.test(text) || parseMoment(text.slice(0, 10)) === undefined) return undefined;
  const time = Date.parse(!text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
