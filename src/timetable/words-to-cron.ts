// Parses a schedule in words, from `--every` or `schedule:`, or as a cron expression, into a cron expression with five fields, or says why
// it is invalid.
import { UsageError } from '../engine/usage-error.js';
import { type CronExpression, parseCron } from './cron-expression.js';
import { nextDue } from './next-due.js';
import { Zone } from './zone.js';

/** Accepted names of weekdays, with their cron numbers. */
const WEEKDAYS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].flatMap((name, number) =>
    [name, name.slice(0, 3)].map((word) => [word, [number]] as const),
  ),
  ...['weekday', 'weekdays'].map((word) => [word, [1, 2, 3, 4, 5]] as const),
  ...['weekend', 'weekends'].map((word) => [word, [0, 6]] as const),
]);

/** The cron fields for day of month, month and weekday. `L`, the last day of a month, is our own addition. */
const DAYS: ReadonlyMap<string, string> = new Map([
  ['day', '* * *'],
  ['month', '1 * *'],
  ['first day of the month', '1 * *'],
  ['last day of the month', 'L * *'],
]);

/** The accepted forms, for people. */
export const FORMS = `A schedule in words is one of:
    minute, hour, day, month
    <N> minutes (1 to 59), <N> hours (1 to 23)
    day at <time>, for example: day at 9:00
    <weekday>, for example: monday, or mon
    <weekday> at <time>, for example: fri at 17:30
    several weekdays, for example: monday and thursday at 9:00
    weekdays (Monday to Friday), weekends, also with a time
    month at <time> (on day 1), last day of the month at <time>
Write times as 0:00 to 23:59, or as 9am and 5:30pm.`;

const UNITS = {
  minute: { most: 59, every: '* * * * *', step: (n: number) => `*/${n} * * * *` },
  hour: { most: 23, every: '0 * * * *', step: (n: number) => `0 */${n} * * *` },
} as const;

/**
 * Translates a schedule in words into cron, for `parseCron` with `lastDay`. Ignores case and extra spaces.
 * @throws UsageError that quotes the input and lists the accepted forms
 */
export function wordsToCron(given: string): string {
  const words = normal(given);
  return cronOf(words, given) ?? refuse(`I don't understand the schedule "${given}"${meantBy(given.trim())}.`);
}

const normal = (given: string): string =>
  given
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(\d) (?=[ap]m$)/, '$1');

const cronOf = (words: string, given: string): string | undefined => interval(words, given) ?? daily(words, given);

/** In "every day at 9:00", the first word is redundant. */
function meantBy(given: string): string {
  const rest = given.replace(/^(?:every|each|on)\s+/i, '');
  return rest !== given && cronOf(normal(rest), rest) !== undefined ? `; write it as "${rest}"` : '';
}

function interval(words: string, given: string): string | undefined {
  const match = /^(?:(-?\d+(?:[.,]\d+)?) )?(minute|hour)s?$/.exec(words);
  if (!match) return undefined;
  const unit = UNITS[match[2] === 'hour' ? 'hour' : 'minute'];
  if (match[1] === undefined) return words.endsWith('s') ? undefined : unit.every;
  const count = /^\d+$/.test(match[1]) ? Number(match[1]) : 0;
  if (count < 1 || count > unit.most) {
    refuse(`"${given.trim()}" is not valid: the number of ${match[2]}s must be a whole number from 1 to ${unit.most}.`);
  }
  return unit.step(count);
}

function daily(words: string, given: string): string | undefined {
  const [what = '', ...times] = words.split(' at ');
  const at = times.length === 0 ? undefined : times.join(' at ');
  const days = DAYS.get(what.replace(/^the /, '')) ?? weekdays(what);
  if (days === undefined) return undefined;
  const time = parseClockTime(at ?? '0:00');
  if (!time) return refuse(`I can't read "${at}" in "${given.trim()}" as a time of day.`);
  return `${time.minute} ${time.hour} ${days}`;
}

/** `mon`, `monday and thursday`, `monday, wednesday and weekends`. */
function weekdays(words: string): string | undefined {
  const named = words.split(/, and |, | and /).map((word) => WEEKDAYS.get(word));
  if (named.includes(undefined)) return undefined;
  const numbers = [...new Set(named.flatMap((days) => days ?? []))].sort((a, b) => a - b);
  return `* * ${numbers.join() === '1,2,3,4,5' ? '1-5' : numbers.length === 7 ? '*' : numbers.join()}`;
}

function refuse(message: string): never {
  throw new UsageError(message, FORMS);
}

interface ClockTime {
  /** 0 to 23. */
  readonly hour: number;
  /** 0 to 59. */
  readonly minute: number;
}

const TWENTY_FOUR = /^(\d{1,2}):(\d{2})$/;
const TWELVE = /^(\d{1,2})(?::(\d{2}))?(am|pm)$/;

/** Reads `9:00`, `09:00`, `23:59`, `9am` or `5:30pm` (lower case). Returns `undefined` for anything else. */
function parseClockTime(text: string): ClockTime | undefined {
  const full = TWENTY_FOUR.exec(text);
  if (full) return inRange(Number(full[1]), Number(full[2]));
  const half = TWELVE.exec(text);
  if (!half) return undefined;
  const hour = Number(half[1]);
  if (hour < 1 || hour > 12) return undefined;
  // 12am is midnight and 12pm is noon.
  return inRange((hour % 12) + (half[3] === 'pm' ? 12 : 0), Number(half[2] ?? 0));
}

function inRange(hour: number, minute: number): ClockTime | undefined {
  return hour <= 23 && minute <= 59 ? { hour, minute } : undefined;
}

type ReadSchedule =
  | { readonly ok: true; readonly cron: CronExpression }
  | { readonly ok: false; readonly problem: string; readonly hint: string };

export const NEVER_DUE_HINT = 'These months have no such day. Check the third and fourth fields.';

/** Two fields of digits and symbols: no schedule in words starts like this. */
const looksLikeCron = (text: string): boolean => /^\s*[\d*][\d*,/-]*\s+[\d*]/.test(text);

export function readSchedule(text: string): ReadSchedule {
  try {
    const cron = looksLikeCron(text) ? parseCron(text) : parseCron(wordsToCron(text), { lastDay: true });
    if (nextDue(cron, new Zone('UTC'), 0) !== undefined) return { ok: true, cron };
    return { ok: false, problem: `The schedule "${text}" is never due.`, hint: NEVER_DUE_HINT };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ok: false, problem: error.message, hint: error.hint ?? '' };
  }
}
