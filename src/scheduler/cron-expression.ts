// The text of `--cron` in, the values of its five fields out. It is stricter than the cron library, which takes seconds, turns
// ranges round and explains nothing.
import { UsageError } from '../engine/usage-error.js';

export interface CronExpression {
  /** As given, with one blank between fields. */
  readonly text: string;
  /** The five fields as given: minute, hour, day of month, month, weekday. */
  readonly fields: readonly string[];
  /** Ascending; all values that the field names. */
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday; 7 is turned into 0. */
  readonly weekdays: readonly number[];
  /**
   * True where day of month and weekday are both restricted: then either of them is enough, as cron has always had it. A field
   * that begins with `*` does not restrict in this sense.
   */
  readonly eitherDay: boolean;
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
Each is *, a number, a range (1-5), a step (*/15, 8-18/2), or a list of these (0,30). Example: --cron "30 6 * * 1-5"`;

/**
 * Reads a cron expression of five fields (`behaviour.md` 5).
 * @throws UsageError that names the field at fault.
 */
export function parseCron(given: string): CronExpression {
  const fields = given.trim().split(/\s+/).filter(Boolean);
  if (fields.length !== FIELDS.length) {
    throw new UsageError(
      `"${given}" has ${fields.length} field${fields.length === 1 ? '' : 's'}, and a cron expression has exactly five.`,
      HINT,
    );
  }
  const values = FIELDS.map((field, index) => fieldValues(field, fields[index] ?? '', given));
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = values;
  return {
    text: fields.join(' '),
    fields,
    minutes,
    hours,
    days,
    months,
    weekdays: ascending(weekdays.map((day) => day % 7)),
    eitherDay: !fields[2]?.startsWith('*') && !fields[4]?.startsWith('*'),
  };
}

function fieldValues(field: Field, text: string, given: string): number[] {
  const refuse = (why: string): never => {
    throw new UsageError(`The cron expression "${given.trim()}" does not work: ${why}`, HINT);
  };
  return ascending(
    text.split(',').flatMap((part) => {
      const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
      if (!match)
        return refuse(
          part === ''
            ? `its ${field.name} "${text}" has an empty place in the list.`
            : `"${part}" is no ${field.name} that I know.`,
        );
      const [, first, last, stepText] = match;
      const from = first === undefined ? field.from : Number(first);
      // The star of weekdays is the seven days: with 7 it would name Sunday twice and upset its steps.
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
          return refuse(`"${written}" is no ${field.name}, which goes from ${field.from} to ${field.to}.`);
      }
      if (from > to)
        return refuse(
          `the range "${part}" (${field.name}) runs backwards; write "${from}-${field.to},${field.from}-${to}" if that is meant.`,
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
