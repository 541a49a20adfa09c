// The words of `--every` in, a five-field cron expression out. All forms of the small grammar stand here and nowhere else.
import { UsageError } from '../engine/usage-error.js';
import { parseClockTime } from './clock-time.js';

/** Weekday numbers of cron, by the names that are accepted. */
const WEEKDAYS: ReadonlyMap<string, string> = new Map(
  [
    ['sunday', '0'],
    ['monday', '1'],
    ['tuesday', '2'],
    ['wednesday', '3'],
    ['thursday', '4'],
    ['friday', '5'],
    ['saturday', '6'],
  ].flatMap(([name = '', number = '']) => [
    [name, number],
    [name.slice(0, 3), number],
  ]),
);

/** The forms as a person is shown them. */
export const FORMS = `--every takes one of these:
    minute, hour, day
    <N> minutes (1 to 59), <N> hours (1 to 23)
    day at <time>, for example: day at 9:00
    <weekday>, for example: monday, or mon
    <weekday> at <time>, for example: fri at 17:30
    weekday, weekday at <time> (Monday to Friday)
A time is 0:00 to 23:59, or like 9am and 5:30pm.`;

const UNITS = {
  minute: { most: 59, every: '* * * * *', step: (n: number) => `*/${n} * * * *` },
  hour: { most: 23, every: '0 * * * *', step: (n: number) => `0 */${n} * * *` },
} as const;

/**
 * Turns the words of `--every` into cron (`service.md` 4.1, `behaviour.md` 5). Case and the width of blanks do not matter.
 * @throws UsageError that quotes what was given and lists the forms.
 */
export function wordsToCron(given: string): string {
  const words = given.trim().toLowerCase().replace(/\s+/g, ' ');
  return interval(words, given) ?? daily(words, given) ?? refuse(`I don't understand the schedule "${given}".`);
}

function interval(words: string, given: string): string | undefined {
  const match = /^(?:(-?\d+(?:[.,]\d+)?) )?(minute|hour)s?$/.exec(words);
  if (!match) return undefined;
  const unit = UNITS[match[2] === 'hour' ? 'hour' : 'minute'];
  if (match[1] === undefined) return words.endsWith('s') ? undefined : unit.every;
  const count = /^\d+$/.test(match[1]) ? Number(match[1]) : 0;
  if (count < 1 || count > unit.most) {
    refuse(`"${given.trim()}" does not work: the number of ${match[2]}s is a whole number from 1 to ${unit.most}.`);
  }
  return unit.step(count);
}

function daily(words: string, given: string): string | undefined {
  const match = /^([a-z]+)(?: at (.*))?$/.exec(words);
  const days = match?.[1] === 'day' ? '*' : match?.[1] === 'weekday' ? '1-5' : WEEKDAYS.get(match?.[1] ?? '');
  if (!match || days === undefined) return undefined;
  const time = parseClockTime(match[2] ?? '0:00');
  if (!time) return refuse(`"${match[2]}" in "${given.trim()}" is no time of day that I know.`);
  return `${time.minute} ${time.hour} * * ${days}`;
}

function refuse(message: string): never {
  throw new UsageError(message, FORMS);
}
