// Values that fit a declared input, for trial runs and forms: a typical one, and the lowest and highest allowed.
import { dateText, parseMoment } from '../../runtime/dates/moment.js';
import type { DateKind, FieldKind, InputField, NumberKind, TextKind } from '../../runtime/inputs/input-types.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { setOwn } from '../../runtime/values/record.js';
import { exampleLike } from '../compiler/vocabulary/example-like.js';

/** Which of the valid values. */
export type Edge = 'typical' | 'lowest' | 'highest';

/** Maximum characters and items of an example, whatever the limits allow. */
const mostCharacters = 1_000;
const mostItems = 3;
const usualHighest = 1_000_000;

/** @param leavesOut omits optional fields */
export function exampleRecord(fields: readonly InputField[], edge: Edge, leavesOut = false): WfRecord {
  const record: WfRecord = {};
  for (const field of fields) {
    const mayBeMissing = field.optional === true || field.otherwise !== undefined;
    if (!(leavesOut && mayBeMissing)) setOwn(record, field.name, exampleValue(field.kind, field.name, edge, leavesOut));
  }
  return record;
}

/** @param name of the field: an example of text without limits */
function exampleValue(kind: FieldKind, name: string, edge: Edge = 'typical', leavesOut = false): Value {
  switch (kind.is) {
    case 'text':
      return exampleText(kind, name, edge);
    case 'number':
    case 'whole number':
      return exampleNumber(kind, edge);
    case 'date':
    case 'time':
      return exampleDate(kind, edge);
    case 'yes or no':
      return edge !== 'lowest';
    case 'email address':
      return 'ada@example.com';
    case 'choice':
      return (edge === 'highest' ? kind.values.at(-1) : kind.values[0]) ?? null;
    case 'record':
      return exampleRecord(kind.fields, edge, leavesOut);
    case 'list': {
      const { least = 0, most = mostItems } = kind;
      const count =
        edge === 'lowest' ? least : edge === 'highest' ? Math.max(least, Math.min(most, mostItems)) : Math.max(1, least);
      return Array.from({ length: Math.min(count, most) }, () => exampleValue(kind.of, name, edge, leavesOut));
    }
    case 'anything':
      return name;
  }
}

function exampleText({ least = 1, most = mostCharacters, like }: TextKind, name: string, edge: Edge): string {
  if (like !== undefined) {
    const digit = edge === 'highest' ? '9' : '1';
    const text = exampleLike(like, digit, digit);
    return text.length > most ? exampleLike(like, digit) : text;
  }
  const count = edge === 'lowest' ? least : edge === 'highest' ? Math.min(most, Math.max(least, mostCharacters)) : name.length;
  const bounded = Math.max(least, Math.min(most, Math.max(1, count)));
  return edge === 'typical' && bounded === name.length ? name : name.slice(0, bounded).padEnd(bounded, 'x');
}

function exampleNumber({ is, from, to, above, below }: NumberKind, edge: Edge): number {
  const step = is === 'whole number' ? 1 : 0.01;
  const whole = (value: number, round: (value: number) => number): number => (is === 'whole number' ? round(value) : value);
  const low = from ?? (above === undefined ? undefined : above + step);
  const high = to ?? (below === undefined ? undefined : below - step);
  const lowest = whole(low ?? Math.min(0, high ?? 0), Math.ceil);
  const highest = whole(high ?? Math.max(usualHighest, low ?? 0), Math.floor);
  if (edge !== 'typical') return edge === 'lowest' ? lowest : highest;
  return Math.min(highest, Math.max(lowest, 1));
}

function exampleDate({ is, from, to, above, below }: DateKind, edge: Edge): string {
  const low = from ?? moved(above, 1);
  const high = to ?? moved(below, -1);
  const usual = is === 'date' ? '2026-03-31' : '2026-03-31T09:30:00Z';
  return (edge === 'highest' ? (high ?? low) : (low ?? high)) ?? usual;
}

/** A day later or earlier. */
function moved(text: string | undefined, days: number): string | undefined {
  const moment = text === undefined ? undefined : parseMoment(text);
  return text === undefined || moment === undefined ? undefined : dateText(moment.day + days) + text.slice(10);
}
