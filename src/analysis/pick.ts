// Picks examples of what a value can be: an ordinary one, and those at the ends of its intervals.
import type { Value } from '../../runtime/types.js';
import {
  type Domain,
  EMPTY,
  FALSE,
  FIELDS,
  type Interval,
  ITEMS,
  meetsTexts,
  NO_FIELDS,
  NO_ITEMS,
  NUMBER,
  TEXT,
  type Texts,
  TRUE,
} from './domain.js';
import { exact } from './symbolic.js';

/** The number at one end of an interval. */
function numberAtEnd(interval: Interval, end: 'low' | 'high', step: number): number | undefined {
  const limit = interval[end];
  if (!Number.isFinite(limit)) return undefined;
  const isOpen = end === 'low' ? interval.lowOpen : interval.highOpen;
  if (!isOpen) return limit;
  const inside = exact(end === 'low' ? limit + step : limit - step);
  return holds(interval, inside) ? inside : exact((interval.low + interval.high) / 2);
}

const holds = ({ low, high, lowOpen, highOpen }: Interval, value: number): boolean =>
  value >= low && value <= high && !(value === low && lowOpen) && !(value === high && highOpen);

function ordinaryNumber(domain: Domain, wanted: number | undefined): number {
  for (const usual of [wanted, 1, 10, 100, 0]) if (usual !== undefined && mayBe(domain, usual)) return usual;
  const [first] = domain.numbers;
  if (first === undefined) return 0;
  const step = Number.isFinite(first.low) || Number.isFinite(first.high) ? 1 : 0;
  return numberAtEnd(first, 'low', step) ?? numberAtEnd(first, 'high', step) ?? 0;
}

function ordinaryText(texts: Texts, wanted: string): string | undefined {
  if (texts.only !== undefined) return texts.only[0];
  const [start, end] = [longest(texts.starts), longest(texts.ends)];
  const middle = texts.contains.filter((part) => !start.includes(part) && !end.includes(part)).join(' ');
  const made = [
    wanted,
    `${start}${middle}${end}`,
    `${start}${middle || wanted}${end}`,
    `${start}${middle}other${end}`,
    `${start}${middle}x1${end}`,
    texts.low?.text ?? 'a',
    `${texts.low?.text ?? ''}1`,
    texts.high?.text ?? 'a',
    '',
  ];
  return made.find((text) => meetsTexts(texts, text));
}

const longest = (texts: readonly string[]): string => texts.reduce((one, other) => (other.length > one.length ? other : one), '');

/** A value in the domain; `wanted` if it is one. `undefined` if none is found. */
export function ordinary(domain: Domain, wanted: Value | undefined, name: string): Value | undefined {
  const { kinds, texts } = domain;
  if (wanted !== undefined && mayBe(domain, wanted)) return wanted;
  if ((kinds & NUMBER) !== 0 && (typeof wanted === 'number' || (kinds & TEXT) === 0))
    return ordinaryNumber(domain, typeof wanted === 'number' ? wanted : undefined);
  if ((kinds & TEXT) !== 0) {
    const text = ordinaryText(texts, typeof wanted === 'string' ? wanted : name);
    if (text !== undefined) return text;
  }
  if ((kinds & NUMBER) !== 0) return ordinaryNumber(domain, undefined);
  if ((kinds & TRUE) !== 0) return true;
  if ((kinds & FALSE) !== 0) return false;
  if ((kinds & ITEMS) !== 0) return [name];
  if ((kinds & FIELDS) !== 0) return { [name]: name };
  if ((kinds & NO_ITEMS) !== 0) return [];
  if ((kinds & NO_FIELDS) !== 0) return {};
  return (kinds & EMPTY) !== 0 ? null : undefined;
}

export function mayBe(domain: Domain, value: Value): boolean {
  const { kinds, numbers, texts, isWhole } = domain;
  if (value === null) return (kinds & EMPTY) !== 0;
  if (typeof value === 'boolean') return (kinds & (value ? TRUE : FALSE)) !== 0;
  if (typeof value === 'string') return (kinds & TEXT) !== 0 && meetsTexts(texts, value);
  if (typeof value === 'number')
    return (kinds & NUMBER) !== 0 && (!isWhole || Number.isInteger(value)) && numbers.some((one) => holds(one, value));
  if (Array.isArray(value)) return (kinds & (value.length === 0 ? NO_ITEMS : ITEMS)) !== 0;
  return (kinds & (Object.keys(value ?? {}).length === 0 ? NO_FIELDS : FIELDS)) !== 0;
}

/** The number of the domain that is nearest to one, in steps of 1; that one itself if it is in there. */
export function nearest(domain: Domain, now: number): number | undefined {
  if (mayBe(domain, now)) return now;
  const ends = domain.numbers.flatMap((one) => [numberAtEnd(one, 'low', 1) ?? [], numberAtEnd(one, 'high', 1) ?? []].flat());
  return ends.reduce<number | undefined>(
    (best, end) => (best === undefined || Math.abs(end - now) < Math.abs(best - now) ? end : best),
    undefined,
  );
}

/** A step that people notice: cents for amounts, one for whole numbers. */
const stepOf = (domain: Domain): number => (domain.isWhole ? 1 : 0.01);

/** Both ends of each interval of its numbers. */
export function boundaryNumbers(domain: Domain, step = stepOf(domain)): number[] {
  if ((domain.kinds & NUMBER) === 0) return [];
  return [
    ...new Set(
      domain.numbers.flatMap((one) => [numberAtEnd(one, 'low', step) ?? [], numberAtEnd(one, 'high', step) ?? []].flat()),
    ),
  ];
}
