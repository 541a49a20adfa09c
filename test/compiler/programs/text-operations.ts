// Operations on text and numbers, written only from docs/values.md.
import { calculate, Fault, isList, numberText, show, TooBig, type Val, withoutNoise } from './values.js';

/** Text that an operation works on. `empty` stays `empty`, anything else is an error. */
const subject = (value: Val): string | null => {
  if (value === null || typeof value === 'string') return value;
  throw new Fault('needs text');
};

/** A separator, replacement or filler. A number or a boolean counts as shown. */
const given = (value: Val): string => {
  if (value === null || typeof value === 'object') throw new Fault('needs text');
  return show(value);
};

/** A whole number of items or characters. */
export function count(value: Val, least = 0): number {
  const number = typeof value === 'number' ? withoutNoise(value) : Number.NaN;
  if (!Number.isInteger(number) || number < least) throw new Fault('needs a count');
  return number;
}

const number = (value: Val): number => {
  if (typeof value !== 'number') throw new Fault('needs a number');
  return value;
};

const ifText = (value: Val, make: (text: string) => Val): Val => {
  const text = subject(value);
  return text === null ? null : make(text);
};

type Operation = (...operands: readonly Val[]) => Val;

/** By their words, with a `#` for each operand. */
export const textOperations: Readonly<Record<string, Operation>> = {
  '# split by #': (value = null, by = null) => {
    const separator = given(by);
    return ifText(value, (text) => (separator === '' ? [...text] : text.split(separator)));
  },
  '# joined with #': (list = null, by = null) => {
    const separator = given(by);
    if (list !== null && !isList(list)) throw new Fault('joined');
    return (list ?? []).map(show).join(separator);
  },
  '# with # replaced by #': (value = null, sought = null, fresh = null) => {
    const [old, by] = [given(sought), given(fresh)];
    if (old === '') throw new Fault('replaced');
    return ifText(value, (text) => text.replaceAll(old, () => by));
  },
  '# padded to # with #': (value = null, length = null, filler = null) => {
    const [least, fill] = [count(length), [...given(filler)]];
    if (fill.length === 0) throw new Fault('padded');
    if (least > 1_000) throw new TooBig();
    return ifText(typeof value === 'number' || typeof value === 'boolean' ? show(value) : value, (text) => {
      const missing = Math.max(0, least - [...text].length);
      return Array.from({ length: missing }, (_, at) => fill[at % fill.length]).join('') + text;
    });
  },
  'first # characters of #': (length = null, value = null) => {
    const most = count(length);
    return ifText(value, (text) => [...text].slice(0, most).join(''));
  },
  'last # characters of #': (length = null, value = null) => {
    const most = count(length);
    return ifText(value, (text) => (most === 0 ? '' : [...text].slice(-most).join('')));
  },
  'characters # to # of #': (from = null, to = null, value = null) => {
    const [first, last] = [count(from, 1), count(to)];
    return ifText(value, (text) => [...text].slice(first - 1, last).join(''));
  },
  '# is like #': (value = null, pattern = null) => {
    if (typeof pattern !== 'string') throw new Fault('is like');
    const text = subject(value);
    return text !== null && likeExpression(pattern).test(text);
  },
  'absolute value of #': (value = null) => Math.abs(number(value)),
  'remainder of # divided by #': (left = null, right = null) => remainder(number(left), number(right)),
  '# percent of #': (rate = null, value = null) => {
    const result = (number(rate) * number(value)) / 100;
    if (!Number.isFinite(result)) throw new Fault('not finite');
    return result;
  },
  '# rounded up to #': (value = null, places = null) => towards(number(value), count(places), true),
  '# rounded down to #': (value = null, places = null) => towards(number(value), count(places), false),
};

/** `#` is a digit, `@` a letter, `?` any character, `*` any number of them. */
function likeExpression(pattern: string): RegExp {
  const parts = [...pattern].map(
    (character) =>
      ({ '#': '[0-9]', '@': '\\p{L}', '?': '[^]', '*': '[^]*' })[character] ??
      `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return new RegExp(`^${parts.join('')}$`, 'u');
}

/** Exact on the decimal forms, with the sign of the divisor. */
function remainder(left: number, right: number): number {
  if (right === 0) throw new Fault('zero');
  if (Number.isInteger(left) && Number.isInteger(right)) {
    const rest = left % right;
    return (rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest) + 0;
  }
  const texts = [left, right].map((side) => numberText(Math.abs(side)));
  const decimals = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const [dividend = 0n, divisor = 1n] = texts.map((text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(decimals, '0'));
  });
  const isBeyond = dividend > BigInt(Number.MAX_SAFE_INTEGER) || divisor > BigInt(Number.MAX_SAFE_INTEGER);
  // Numbers of so many digits are not exact decimals.
  if (isBeyond && decimals > 0) throw new TooBig();
  const rest = dividend % divisor;
  const hasOtherSign = rest !== 0n && left < 0 !== right < 0;
  const size = Number(`${hasOtherSign ? divisor - rest : rest}e-${decimals}`);
  return right < 0 && size !== 0 ? -size : size;
}

function towards(value: number, places: number, isUp: boolean): number {
  if (places > 15) throw new Fault('places');
  if (Number.isInteger(value)) return value + 0;
  const [whole = '0', fraction = ''] = numberText(Math.abs(value)).split('.');
  const isCut = /[1-9]/.test(fraction.slice(places));
  const units = BigInt(whole + fraction.slice(0, places).padEnd(places, '0')) + (isCut && isUp ? 1n : 0n);
  const size = Number(`${units}e-${places}`);
  return value < 0 && size !== 0 ? -size : size;
}

// --- numbers written like a sample --------------------------------------------------------------------------------------------

interface Sample {
  readonly group: string;
  readonly point: string;
  readonly places: number;
  readonly before: string;
  readonly after: string;
}

/** Samples that programs use. Each says what separates thousands, what separates decimals, and how many of these there are. */
export const samples: Readonly<Record<string, Sample>> = {
  '1,234.50': { group: ',', point: '.', places: 2, before: '', after: '' },
  '1.234,50 €': { group: '.', point: ',', places: 2, before: '', after: ' €' },
  '1234.5': { group: '', point: '.', places: 1, before: '', after: '' },
  '€1 234,567': { group: ' ', point: ',', places: 3, before: '€', after: '' },
  "1'234": { group: "'", point: '', places: 0, before: '', after: '' },
  '12': { group: '', point: '', places: 0, before: '', after: '' },
};

const sampleFor = (written: Val): Sample => {
  const sample = typeof written === 'string' && Object.hasOwn(samples, written) ? samples[written] : undefined;
  if (sample === undefined) throw new Fault('sample');
  return sample;
};

export function writtenLike(value: Val, written: Val): string {
  const { group, point, places, before, after } = sampleFor(written);
  const rounded = calculate('rounded to', number(value), places) as number; // of a number, it is a number
  const size = Math.abs(rounded);
  const [whole = '', fraction = ''] = (size < 1e21 ? numberText(size) : String(BigInt(size))).split('.');
  const grouped = whole.split('').map((digit, at) => (at > 0 && (whole.length - at) % 3 === 0 ? group + digit : digit));
  const decimals = places === 0 ? '' : point + fraction.padEnd(places, '0').slice(0, places);
  return `${rounded < 0 ? '-' : ''}${before}${grouped.join('')}${decimals}${after}`;
}

export function readLike(value: Val, written: Val): number {
  const { group, point, before, after } = sampleFor(written);
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') throw new Fault('number of');
  const literal = (text: string): string => text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&');
  const digits = `\\d+${group === '' ? '' : `|\\d{1,3}(?:${literal(group)}\\d{3})+`}`;
  const fraction = point === '' ? '' : `(?:${literal(point)}(\\d+))?`;
  const around = [before.trim(), after.trim()].map((text) => (text === '' ? '' : `(?:${literal(text)})?`));
  const match = new RegExp(`^(-? ?)${around[0]} *(-? ?)(${digits})${fraction} *${around[1]}$`, 'u').exec(value.trim());
  const [, outer = '', inner = '', whole = '', decimals = ''] = match ?? [];
  if (match === null || (outer.includes('-') && inner.includes('-'))) throw new Fault('number of');
  const size = Number(`${group === '' ? whole : whole.replaceAll(group, '')}.${decimals === '' ? '0' : decimals}`);
  return (outer + inner).includes('-') && size !== 0 ? -size : size;
}
