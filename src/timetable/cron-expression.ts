// Parses a cron expression into the values of its five fields. Stricter than the cron library, which accepts seconds, turns ranges
// around and explains nothing.
import { UsageError } from '../engine/usage-error.js';

export interface CronExpression {
  /** As given, with a single space between fields. */
  readonly text: string;
  /** The five fields as given, without `L`: minute, hour, day of month, month, weekday. */
  readonly fields: readonly string[];
  /** All values of the field, ascending. */
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday; 7 becomes 0. */
  readonly weekdays: readonly number[];
  /**
   * True if both day of month and weekday are restricted. Then either one is enough, as always in cron. A field that starts
   * with `*` does not count as restricted.
   */
  readonly eitherDay: boolean;
  /** Of `days` only the one that is the last of its month. */
  readonly lastDay: boolean;
}

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12 },
  { name: 'weekday', from: 0, to: 7 },
];

const HINT = `A cron expression has exactly five fields:
    minute (0-59)  hour (0-23)  day of month (1-31)  month (1-12)  weekday (0-7, 0 and 7 are Sunday)
Each is *, a number, a range (1-5), a step (*/15, 8-18/2), or a list of these (0,30). Example: "30 6 * * 1-5"`;

/** The possible last days of a month. */
const LAST_DAYS = '28-31';

/**
 * Parses a cron expression with five fields.
 * @param lastDay accept `L` as day of month, which standard cron does not have
 * @throws UsageError that names the wrong field
 */
export function parseCron(given: string, { lastDay: allowsLastDay = false } = {}): CronExpression {
  const fields = given.trim().split(/\s+/).filter(Boolean);
  if (fields.length !== FIELDS.length) {
    throw new UsageError(
      `"${given}" has ${fields.length} field${fields.length === 1 ? '' : 's'}, but a cron expression has exactly five.`,
      HINT,
    );
  }
  const text = fields.join(' ');
  const lastDay = allowsLastDay && fields[2] === 'L';
  if (lastDay) fields[2] = LAST_DAYS;
  const values = FIELDS.map((field, index) => fieldValues(field, fields[index] ?? '', given));
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = values;
  return {
    text,
    fields,
    minutes,
    hours,
    days,
    months,
    weekdays: ascending(weekdays.map((day) => day % 7)),
    eitherDay: !fields[2]?.startsWith('*') && !fields[4]?.startsWith('*'),
    lastDay,
  };
}

function fieldValues(field: Field, text: string, given: string): number[] {
  const refuse = (why: string): never => {
    throw new UsageError(`The cron expression "${given.trim()}" is not valid: ${why}`, HINT);
  };
  return ascending(
    text.split(',').flatMap((part) => {
      const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
      if (!match)
        return refuse(
          part === ''
            ? `the list in its ${field.name}, "${text}", has an empty entry.`
            : `I can't read its ${field.name} "${part}".`,
        );
      const [, first, last, stepText] = match;
      const from = first === undefined ? field.from : Number(first);
      // For weekdays, the star means seven days: with 7 it would include Sunday twice and upset the steps.
      const to = first === undefined ? Math.min(field.to, field.name === 'weekday' ? 6 : field.to) : Number(last ?? first);
      const size = field.to - field.from + 1;
      const step = Number(stepText ?? 1);
      if (stepText !== undefined && first !== undefined && last === undefined) {
        return refuse(`"${part}" has a step without a range; write "${first}-${field.to}/${stepText}".`);
      }
      if (step < 1 || (stepText !== undefined && step >= size))
        return refuse(`the step of "${part}" (${field.name}) must be from 1 to ${size - 1}.`);
      for (const [number, written] of [
        [from, first],
        [to, last ?? first],
      ] as const) {
        if (number < field.from || number > field.to)
          return refuse(`its ${field.name} "${written}" is not between ${field.from} and ${field.to}.`);
      }
      if (from > to)
        return refuse(
          `the range "${part}" (${field.name}) runs backwards; did you mean "${from}-${field.to},${field.from}-${to}"?`,
        );
      const values: number[] = [];
      for (let value = from; value <= to; value += step) values.push(value);
      return values;
    }),
  );
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
