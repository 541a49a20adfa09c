// Numbers as text in the format of a sample such as `1.234,50 €`: parses `number of "1.234,50" written as "1.234,50"`, and formats `text of
// total written as …`. Keeps the samples that it has read, because loops use the same one in every round.
import type { SourceLocation, Value } from '../types.js';
import { rounded } from '../values/arithmetic.js';
import { privatePart, WfError } from '../values/errors.js';
import { numberText } from '../values/number-format.js';
import { isLiteral, named, operandText } from '../values/operand-text.js';
import { work } from '../workload.js';
import { cannotWriteNumber, notWrittenLike } from './number-operations.js';

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

export interface NumberSample {
  /** Thousands separator; empty if there is none. */
  readonly group: string;
  /** Decimal separator. */
  readonly point: string;
  /** Number of decimal places. */
  readonly places: number;
  readonly before: string;
  readonly after: string;
}

type ReadSample =
  | { readonly ok: true; readonly sample: NumberSample }
  /** Completes `The sample "…" `. */
  | { readonly ok: false; readonly fault: string };

const wrong = (fault: string): ReadSample => ({ ok: false, fault });

/** The longest fraction that a number can have. */
const mostPlaces = 15;

/** Whether a pattern after `written as` is for numbers: patterns for dates contain no digits. */
export const isNumberSample = (pattern: string): boolean =>
  /\d/.test(pattern.replace(/'[^']*'/g, (quoted) => (/[A-Za-z]/.test(quoted) ? '' : quoted)));

/** Spaces that look alike and are interchangeable in a number. */
const isSpaceLike = (char: string): boolean => char === ' ' || char === '\u00a0' || char === '\u202f';

export function readSample(written: string): ReadSample {
  const start = written.search(/\d/);
  if (start === -1) return wrong('contains no digits');
  let end = written.length;
  while (!/\d/.test(written.charAt(end - 1))) end--;
  const before = written.slice(0, start);
  const after = written.slice(end);
  if (/[-+\u2212]$/.test(before.trimEnd())) return wrong('has a sign: leave it out, negative numbers get theirs');
  const digits = written.slice(start, end);
  const separators = digits.replace(/\d/g, '');
  if (/[^., '\u2019\u00a0\u202f]/.test(separators))
    return wrong(`contains ${JSON.stringify(separators.replace(/[., '\u2019\u00a0\u202f]/g, '').charAt(0))} between its digits`);
  return sampleOf(digits, separators, before, after);
}

function sampleOf(digits: string, separators: string, before: string, after: string): ReadSample {
  const last = separators.charAt(separators.length - 1);
  const group = separators.charAt(0);
  const pointAt = digits.lastIndexOf(last);
  const plain = { group: '', point: '', places: 0, before, after };
  if (separators === '') return { ok: true, sample: plain };
  const isOnly = separators.length === 1;
  const groups = new RegExp(`^\\d{1,3}(?:[${group}]\\d{3})+$`);
  if (isOnly && (last === '.' || last === ',')) {
    if (groups.test(digits) && hasNoFraction(`${before} ${after}`)) return { ok: true, sample: { ...plain, group } };
    if (groups.test(digits))
      return wrong(
        `leaves open whether "${last}" separates thousands or the fraction: write 1${last === '.' ? '.234,50' : ',234.50'} or 1234${last}50`,
      );
    return withFraction({ ...plain, point: last }, digits.length - pointAt - 1);
  }
  // A separator that occurs again, a space, or an apostrophe can only separate thousands.
  if (separators === group.repeat(separators.length))
    return groups.test(digits)
      ? { ok: true, sample: { ...plain, group } }
      : wrong('does not have three digits after each separator');
  const isPoint = (last === '.' || last === ',') && separators.slice(0, -1) === group.repeat(separators.length - 1);
  if (!isPoint || !groups.test(digits.slice(0, pointAt))) return wrong('mixes its separators');
  return withFraction({ ...plain, group, point: last }, digits.length - pointAt - 1);
}

/** Whether the text names a currency without a smaller unit, such as JPY: then a separator can only be that of thousands. */
function hasNoFraction(around: string): boolean {
  const currency = /\b[A-Z]{3}\b/.exec(around)?.[0] ?? (/[¥₩₫]/.test(around) ? 'JPY' : undefined);
  if (currency === undefined) return false;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 0;
}

const withFraction = (sample: NumberSample, places: number): ReadSample =>
  places > mostPlaces ? wrong(`has more than ${mostPlaces} places`) : { ok: true, sample: { ...sample, places } };

/** Characters that a sample or a pattern may have. One that comes from data could be as long as a request. */
export const longestSample = 1_000;

/** More than any workflow names. A sample can also come from data. */
const MOST = 200;
const known = new Map<string, NumberSample>();

/** The sample after `written as`. @throws WfError if it is invalid */
function numberSampleOf(written: Value, location: SourceLocation | undefined): NumberSample {
  work(300);
  const source = location?.[4];
  if (typeof written !== 'string') {
    const fault = operandText(written, source, 'the value after "written as"');
    throw new WfError('WF640', `I can't read the sample: ${fault}, but it must be text like "1,234.50".`, location);
  }
  const found = known.get(written);
  if (found !== undefined) return found;
  const read = written.length > longestSample ? wrong(`has more than ${longestSample} characters`) : readSample(written);
  if (!read.ok) {
    const shown = source !== undefined && isLiteral(source) ? read.fault : `is not usable${privatePart(`: it ${read.fault}`)}`;
    throw new WfError('WF640', `The sample ${named(source, 'after "written as"')} ${shown}.`, location);
  }
  if (known.size >= MOST) known.clear();
  known.set(written, read.sample);
  return read.sample;
}
