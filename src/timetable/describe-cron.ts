// Describes a cron expression in words, with notes about uneven steps. `wf schedule` prints both when it starts.
import { monthNames } from '../../runtime/dates/date-errors.js';
import type { CronExpression } from './cron-expression.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** With more clock times than this, describe their pattern instead. */
const MOST_TIMES = 6;

/** `every Monday at 09:05`, `every 5 minutes`, `on day 1 of January at 00:00`. */
export function describeCron(cron: CronExpression): string {
  const days = describeDays(cron);
  if (cron.hours.length * cron.minutes.length <= MOST_TIMES) {
    const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => `${two(hour)}:${two(minute)}`));
    return `${days ?? 'every day'} at ${list(times)}`;
  }
  return [describeMinutes(cron), describeHours(cron), days].filter(Boolean).join(', ');
}

function describeMinutes({ fields, minutes, hours }: CronExpression): string {
  if (minutes.length === 60) return 'every minute';
  const step = starStep(fields[0]);
  if (step !== undefined) return `every ${step} minutes`;
  if (minutes.length > 1 || minutes[0] !== 0)
    return `every hour at minute${minutes.length > 1 ? 's' : ''} ${list(runs(minutes, String))}`;
  const hourStep = starStep(fields[1]);
  return hourStep === undefined || hours.length === 24 ? 'every hour' : `every ${hourStep} hours`;
}

function describeHours({ fields, minutes, hours }: CronExpression): string | undefined {
  if (hours.length === 24) return undefined;
  const onTheHour = minutes.length === 1 && minutes[0] === 0;
  const step = starStep(fields[1]);
  if (step !== undefined) return onTheHour ? undefined : `in every ${ordinal(step)} hour from 0`;
  return `in hour${hours.length > 1 ? 's' : ''} ${list(runs(hours, String))}`;
}

function describeDays({ days, months, weekdays, eitherDay, lastDay }: CronExpression): string | undefined {
  if (lastDay) return 'on the last day of every month';
  const someDays =
    days.length < 31
      ? `on day${days.length > 1 ? 's' : ''} ${list(runs(days, String))} of ${months.length === 12 ? 'every month' : list(runs(months, month))}`
      : undefined;
  const someWeekdays = weekdays.length < 7 ? `every ${list(runs(weekdays, (day) => WEEKDAYS[day] ?? ''))}` : undefined;
  const inMonths = months.length === 12 ? '' : ` in ${list(runs(months, month))}`;
  if (someDays && someWeekdays)
    return eitherDay
      ? `${someDays} and ${someWeekdays}${inMonths}`
      : `${someDays} if it is ${list(
          weekdays.map((day) => `a ${WEEKDAYS[day]}`),
          'or',
        )}`;
  return someDays ?? (someWeekdays ? `${someWeekdays}${inMonths}` : inMonths ? `every day${inMonths}` : undefined);
}

/** One sentence for each field whose step does not divide its range evenly, which makes one gap shorter. */
export function unevenSteps({ fields }: CronExpression): string[] {
  return [
    unevenStep(starStep(fields[0]), 60, 'minute', 'at the hour'),
    unevenStep(starStep(fields[1]), 24, 'hour', 'at midnight'),
    monthStep(starStep(fields[2])),
  ].filter((note) => note !== undefined);
}

function unevenStep(step: number | undefined, size: number, unit: string, where: string): string | undefined {
  const gap = step === undefined ? 0 : size % step;
  if (gap === 0) return undefined;
  const last = size - gap;
  return `${step} ${unit}s do not divide ${size} evenly, so the gap ${where} is shorter: from ${unit} ${last} to ${unit} 0 (${gap} ${unit}${gap === 1 ? '' : 's'}).`;
}

function monthStep(step: number | undefined): string | undefined {
  if (step === undefined || step === 1) return undefined;
  return `a step of ${step} days starts over on day 1 of every month, so the gap at the end of a month is uneven.`;
}

/** N in a field that is just `*` with a step. */
function starStep(field: string | undefined): number | undefined {
  const match = /^\*\/(\d+)$/.exec(field ?? '');
  return match ? Number(match[1]) : undefined;
}

/** Shows three or more consecutive values as a range. */
function runs(values: readonly number[], name: (value: number) => string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < values.length; ) {
    let end = start;
    while (values[end + 1] === (values[end] ?? 0) + 1) end += 1;
    const names = values.slice(start, end + 1).map(name);
    parts.push(...(names.length > 2 ? [`${names[0]} to ${names[names.length - 1]}`] : names));
    start = end + 1;
  }
  return parts;
}

function list(items: readonly string[], word = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items[items.length - 1]}`;
}

const month = (number: number): string => monthNames[number - 1] ?? '';
const two = (number: number): string => String(number).padStart(2, '0');
const ordinal = (number: number): string =>
  `${number}${{ 1: 'st', 2: 'nd', 3: 'rd' }[number < 20 ? number : number % 10] ?? 'th'}`;
