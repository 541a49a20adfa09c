// Parses a retention period: `90d`, or `forever`.
import { DAY_MS } from '../../../runtime/values/time-units.js';
import { UsageError } from '../usage-error.js';

/** Default retention of finished runs. */
const USUAL_KEEP_DAYS = 90;

/** Milliseconds; `undefined` for `forever`. @throws UsageError that names the option */
export function readKeep(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return USUAL_KEEP_DAYS * DAY_MS;
  if (text === 'forever') return undefined;
  const ms = readDays(option, text);
  // It would delete runs as they end, and their outcomes with them.
  if (ms === 0) throw new UsageError(`${option} must be at least 1d: callers ask for the outcome of a run after it has ended.`);
  return ms;
}

/** Milliseconds. @throws UsageError that names the option */
export function readDays(option: string, text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined)
    throw new UsageError(
      `${option} takes a number of days, at most 99999d, such as 30d${option === '--keep' ? ', or forever' : ''}, not ${JSON.stringify(text)}.`,
    );
  return Number(days) * DAY_MS;
}
