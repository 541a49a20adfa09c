// Numbers as text in the format of a sample: parses `number of "1.234,50" written as "1.234,50"`, and formats `text of total written as …`.
import type { SourceLocation, Value } from '../types.js';
import { rounded } from '../values/arithmetic.js';
import { numberText } from '../values/number-format.js';
import { cannotWriteNumber, notWrittenLike } from './number-errors.js';
import { isSpaceLike, type NumberSample, numberSampleOf } from './number-sample.js';

/** More characters than any number has. */
const LONGEST = 400;

/**
 * Parses text with the separators of the sample. Thousands separators are optional, the fraction may have any number of digits, and the
 * text around the digits may be missing. Returns a number unchanged.
 * @throws WfError for anything else
 */
export function parseNumber(value: Value, written: Value, location?: SourceLocation): number {
  const sample = numberSampleOf(written, location);
  if (typeof value === 'number') return value;
  const number = typeof value === 'string' && value.length <= LONGEST ? numberLike(value, sample) : undefined;
  if (number === undefined) throw notWrittenLike(value, location);
  return number;
}

/** Parses text in the format of the sample. */
export function numberLike(text: string, sample: NumberSample): number | undefined {
  let rest = withPlainSpaces(text).trim();
  const sign = takeSign();
  rest = withoutEnds(rest, withPlainSpaces(sample.before).trim(), withPlainSpaces(sample.after).trim());
  const inner = sign === 1 ? takeSign() : 1;
  const [whole = '', fraction, ...more] = sample.point === '' ? [rest] : rest.split(sample.point);
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined;
  const digits = ungrouped(whole, withPlainSpaces(sample.group));
  if (digits === undefined) return undefined;
  const number = Number(`${digits}.${fraction ?? '0'}`);
  return Number.isFinite(number) ? sign * inner * number + 0 : undefined;

  function takeSign(): 1 | -1 {
    const minus = /^[-\u2212] ?/.exec(rest)?.[0];
    rest = rest.slice(minus?.length ?? 0);
    return minus === undefined ? 1 : -1;
  }
}

const withPlainSpaces = (text: string): string => [...text].map((char) => (isSpaceLike(char) ? ' ' : char)).join('');

function withoutEnds(text: string, before: string, after: string): string {
  const started = before !== '' && text.startsWith(before) ? text.slice(before.length).trimStart() : text;
  return after !== '' && started.endsWith(after) ? started.slice(0, -after.length).trimEnd() : started;
}

/** The digits of a whole number whose thousands are all separated, or none of them. */
function ungrouped(whole: string, group: string): string | undefined {
  if (/^\d+$/.test(whole)) return whole;
  const groups = group === '' ? [] : whole.split(group);
  const [first = '', ...others] = groups;
  return /^\d{1,3}$/.test(first) && others.every((part) => /^\d{3}$/.test(part)) ? groups.join('') : undefined;
}

/** Rounds halves away from zero. @throws WfError for a value that is not a number, and for an invalid sample */
export function writeNumber(value: Value, written: Value, location?: SourceLocation): string {
  const { group, point, places, before, after } = numberSampleOf(written, location);
  if (typeof value !== 'number') throw cannotWriteNumber(value, location);
  const number = rounded(value, places);
  const size = Math.abs(number);
  const [whole = '0', fraction = ''] = size >= 1e21 ? [BigInt(size).toString()] : numberText(size).split('.');
  const grouped = group === '' ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  const decimals = places === 0 ? '' : point + fraction.padEnd(places, '0').slice(0, places);
  return `${number < 0 ? '-' : ''}${before}${grouped}${decimals}${after}`;
}
