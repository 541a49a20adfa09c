// Whether a value fits the declaration of its field, except for records and lists.
import { Calendar } from '../dates/calendar.js';
import { parseMoment } from '../dates/moment.js';
import { fitsPattern } from '../texts/like.js';
import type { Value } from '../types.js';
import type { DateKind, FieldKind, TextKind, ValueLimits } from './input-types.js';
import { countCharacters } from './input-words.js';

export type ScalarKind = Exclude<FieldKind, { readonly is: 'record' | 'list' }>;

/** @param timezone for times without an offset; UTC by default */
export function scalarFits(kind: ScalarKind, value: Value, timezone: string | undefined): boolean {
  switch (kind.is) {
    case 'text':
      return typeof value === 'string' && textFits(kind, value);
    case 'number':
      return typeof value === 'number' && inLimits(kind, value, byNumber);
    case 'whole number':
      return typeof value === 'number' && Number.isInteger(value) && inLimits(kind, value, byNumber);
    case 'date':
    case 'time':
      return typeof value === 'string' && dateFits(kind, value, timezone);
    case 'yes or no':
      return typeof value === 'boolean';
    case 'email address':
      return typeof value === 'string' && isEmailAddress(value);
    case 'choice':
      return kind.values.some((one) => one === value);
    case 'anything':
      return true;
  }
}

function textFits({ least = 0, most = Number.POSITIVE_INFINITY, like }: TextKind, value: string): boolean {
  // Most texts are short, so their characters need not be counted.
  if (value.length < least || (value.length > most && countCharacters(value) > most)) return false;
  if (least > 1 && countCharacters(value) < least) return false;
  return like === undefined || fitsPattern(value, like);
}

function dateFits(kind: DateKind, value: string, timezone: string | undefined): boolean {
  const moment = parseMoment(value);
  if (moment === undefined || (moment.form === 'date') !== (kind.is === 'date')) return false;
  // Dates sort as text.
  return inLimits(kind, value, kind.is === 'date' ? byText : byInstant(timezone));
}

type Order<T> = (one: T, other: T) => number;

const byNumber: Order<number> = (one, other) => one - other;
const byText: Order<string> = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

const byInstant = (timezone = 'UTC'): Order<string> => {
  const calendar = new Calendar(timezone, undefined);
  const instant = (text: string): number => {
    const moment = parseMoment(text);
    return moment === undefined ? Number.NaN : calendar.instantOf(moment);
  };
  return (one, other) => instant(one) - instant(other);
};

function inLimits<T>({ from, to, above, below }: ValueLimits<T>, value: T, order: Order<T>): boolean {
  if (from !== undefined && order(value, from) < 0) return false;
  if (to !== undefined && order(value, to) > 0) return false;
  if (above !== undefined && order(value, above) <= 0) return false;
  return below === undefined || order(value, below) < 0;
}

/** The longest address that mail servers accept (RFC 5321, 4.5.3.1). */
const longestAddress = 254;
/** No spaces or control characters, nothing that could separate two addresses, and a dot in the host. */
const address =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f.]+(?:\.[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f.]+)+$/;

const isEmailAddress = (text: string): boolean => text.length <= longestAddress && address.test(text);
