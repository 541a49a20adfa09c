// Reads a sample number such as `1.234,50 €`: its separators, its decimal places, and the text around it. Keeps the samples that it has
// read, because loops use the same one in every round.
import type { SourceLocation, Value } from '../types.js';
import { privatePart, WfError } from '../values/errors.js';
import { isLiteral, named, operandText } from '../values/operand-text.js';

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

export type ReadSample =
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
export const isSpaceLike = (char: string): boolean => char === ' ' || char === '\u00a0' || char === '\u202f';

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

/** More than any workflow names. A sample can also come from data. */
const MOST = 200;
const known = new Map<string, NumberSample>();

/** The sample after `written as`. @throws WfError if it is invalid */
export function numberSampleOf(written: Value, location: SourceLocation | undefined): NumberSample {
  const source = location?.[4];
  if (typeof written !== 'string') {
    const fault = operandText(written, source, 'the value after "written as"');
    throw new WfError('WF640', `I can't read the sample: ${fault}, but it must be text like "1,234.50".`, location);
  }
  const found = known.get(written);
  if (found !== undefined) return found;
  const read = readSample(written);
  if (!read.ok) {
    const shown = source !== undefined && isLiteral(source) ? read.fault : `is not usable${privatePart(`: it ${read.fault}`)}`;
    throw new WfError('WF640', `The sample ${named(source, 'after "written as"')} ${shown}.`, location);
  }
  if (known.size >= MOST) known.clear();
  known.set(written, read.sample);
  return read.sample;
}
