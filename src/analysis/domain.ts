// The set of values that are possible at a point of a workflow: its kinds, its numbers as intervals, its texts by prefixes, suffixes and
// exceptions.

/** The kinds of values, as bits. Lists and records without items count as kinds of their own, because conditions tell them apart. */
export const EMPTY = 1;
export const TRUE = 2;
export const FALSE = 4;
export const NUMBER = 8;
export const TEXT = 16;
export const NO_ITEMS = 32;
export const ITEMS = 64;
export const NO_FIELDS = 128;
export const FIELDS = 256;
export const ANY = 511;
export const BOOLEAN = TRUE | FALSE;
export const LIST = NO_ITEMS | ITEMS;
export const RECORD = NO_FIELDS | FIELDS;

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
}

/** Texts that meet all of these. `low` and `high` are in the order of code points, as dates are. */
export interface Texts {
  readonly only?: readonly string[];
  readonly not: readonly string[];
  readonly starts: readonly string[];
  readonly notStarts: readonly string[];
  readonly ends: readonly string[];
  readonly notEnds: readonly string[];
  readonly contains: readonly string[];
  readonly notContains: readonly string[];
  readonly low?: { readonly text: string; readonly open: boolean };
  readonly high?: { readonly text: string; readonly open: boolean };
}

export interface Domain {
  readonly kinds: number;
  /** Sorted, and apart from each other. */
  readonly numbers: readonly Interval[];
  readonly isWhole: boolean;
  readonly texts: Texts;
}

const { POSITIVE_INFINITY: INFINITY } = Number;
export const allNumbers: Interval = { low: -INFINITY, high: INFINITY, lowOpen: true, highOpen: true };
const allTexts: Texts = {
  not: [],
  starts: [],
  notStarts: [],
  ends: [],
  notEnds: [],
  contains: [],
  notContains: [],
};
export const anything: Domain = { kinds: ANY, numbers: [allNumbers], isWhole: false, texts: allTexts };
export const numberDomain = (...numbers: Interval[]): Domain => ({
  kinds: NUMBER,
  numbers: numbers.length === 0 ? [allNumbers] : numbers,
  isWhole: false,
  texts: allTexts,
});
export const kindsDomain = (kinds: number): Domain => ({ ...anything, kinds });

export const numbersAbove = (low: number): Interval => ({ ...allNumbers, low, lowOpen: true });
export const numbersFrom = (low: number): Interval => ({ ...allNumbers, low, lowOpen: false });
export const numbersBelow = (high: number): Interval => ({ ...allNumbers, high, highOpen: true });
export const numbersTo = (high: number): Interval => ({ ...allNumbers, high, highOpen: false });
export const onlyNumber = (value: number): Interval => ({ low: value, high: value, lowOpen: false, highOpen: false });

const isVoid = ({ low, high, lowOpen, highOpen }: Interval): boolean => low > high || (low === high && (lowOpen || highOpen));

/** The part of two intervals that they share; of whole numbers, from one to another. */
export function meet(one: Interval, other: Interval, isWhole = false): Interval | undefined {
  const low = Math.max(one.low, other.low);
  const high = Math.min(one.high, other.high);
  const lowOpen = (one.low === low && one.lowOpen) || (other.low === low && other.lowOpen);
  const highOpen = (one.high === high && one.highOpen) || (other.high === high && other.highOpen);
  const shared = isWhole ? wholeInterval({ low, high, lowOpen, highOpen }) : { low, high, lowOpen, highOpen };
  return isVoid(shared) ? undefined : shared;
}

function wholeInterval({ low, high, lowOpen, highOpen }: Interval): Interval {
  const least = Number.isFinite(low) ? (lowOpen ? Math.floor(low) + 1 : Math.ceil(low)) : low;
  const most = Number.isFinite(high) ? (highOpen ? Math.ceil(high) - 1 : Math.floor(high)) : high;
  return { low: least, high: most, lowOpen: !Number.isFinite(low), highOpen: !Number.isFinite(high) };
}

/** The numbers outside of an interval. */
export function outside({ low, high, lowOpen, highOpen }: Interval): Interval[] {
  const parts = [
    { low: -INFINITY, high: low, lowOpen: true, highOpen: !lowOpen },
    { low: high, high: INFINITY, lowOpen: !highOpen, highOpen: true },
  ];
  return parts.filter((part) => !isVoid(part) && Number.isFinite(part.low === -INFINITY ? part.high : part.low));
}

/** Keeps these kinds; `undefined` if none is left. */
export function keepKinds(domain: Domain, kinds: number): Domain | undefined {
  const kept = domain.kinds & kinds;
  if (kept === 0) return undefined;
  return kept === domain.kinds ? domain : { ...domain, kinds: kept };
}

/** Keeps the numbers in these intervals, and every other kind. */
export function keepNumbers(domain: Domain, intervals: readonly Interval[]): Domain | undefined {
  if ((domain.kinds & NUMBER) === 0) return domain;
  const numbers = domain.numbers.flatMap((one) => intervals.flatMap((other) => meet(one, other, domain.isWhole) ?? []));
  return numbers.length === 0 ? keepKinds(domain, ANY & ~NUMBER) : { ...domain, numbers };
}

export const asWhole = (domain: Domain): Domain | undefined => keepNumbers({ ...domain, isWhole: true }, [allNumbers]);

/** Keeps the texts that also meet this, and every other kind. */
export function keepTexts(domain: Domain, more: Partial<Texts>): Domain | undefined {
  if ((domain.kinds & TEXT) === 0) return domain;
  const texts = meetTexts(domain.texts, more);
  return texts === undefined ? keepKinds(domain, ANY & ~TEXT) : { ...domain, texts };
}

function meetTexts(one: Texts, more: Partial<Texts>): Texts | undefined {
  const both = (name: 'not' | 'starts' | 'notStarts' | 'ends' | 'notEnds' | 'contains' | 'notContains'): readonly string[] => {
    const added = more[name];
    return added === undefined || added.length === 0 ? one[name] : [...new Set([...one[name], ...added])];
  };
  const { only } = one;
  const kept = more.only === undefined ? only : only === undefined ? more.only : only.filter((text) => more.only?.includes(text));
  const low = laterOf(one.low, more.low);
  const high = earlierOf(one.high, more.high);
  const rest = {
    not: both('not'),
    starts: both('starts'),
    notStarts: both('notStarts'),
    ends: both('ends'),
    notEnds: both('notEnds'),
    contains: both('contains'),
    notContains: both('notContains'),
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  };
  if (kept !== undefined) {
    const left = kept.filter((text) => meetsTexts(rest, text));
    return left.length === 0 ? undefined : { ...rest, only: left };
  }
  return isImpossible(rest) ? undefined : rest;
}

type Limit = Texts['low'];
const laterOf = (one: Limit, other: Limit): Limit =>
  one === undefined || (other !== undefined && (other.text > one.text || (other.text === one.text && other.open)))
    ? (other ?? one)
    : one;
const earlierOf = (one: Limit, other: Limit): Limit =>
  one === undefined || (other !== undefined && (other.text < one.text || (other.text === one.text && other.open)))
    ? (other ?? one)
    : one;

/** Whether no text can meet all of these. False when in doubt. */
function isImpossible({ starts, notStarts, ends, notEnds, contains, notContains, low, high }: Texts): boolean {
  const longest = starts.reduce((one, other) => (other.length > one.length ? other : one), '');
  const tail = ends.reduce((one, other) => (other.length > one.length ? other : one), '');
  if (starts.some((text) => !longest.startsWith(text)) || ends.some((text) => !tail.endsWith(text))) return true;
  if (notStarts.some((text) => longest.startsWith(text)) || notEnds.some((text) => tail.endsWith(text))) return true;
  if (notContains.some((text) => [longest, tail, ...contains].some((part) => part.includes(text)))) return true;
  return low !== undefined && high !== undefined && (low.text > high.text || (low.text === high.text && (low.open || high.open)));
}

/** Whether a text meets all of these. */
export function meetsTexts(texts: Texts, text: string): boolean {
  const { only, not, starts, notStarts, ends, notEnds, contains, notContains, low, high } = texts;
  return (
    (only === undefined || only.includes(text)) &&
    !not.includes(text) &&
    starts.every((part) => text.startsWith(part)) &&
    !notStarts.some((part) => text.startsWith(part)) &&
    ends.every((part) => text.endsWith(part)) &&
    !notEnds.some((part) => text.endsWith(part)) &&
    contains.every((part) => text.includes(part)) &&
    !notContains.some((part) => text.includes(part)) &&
    (low === undefined || text > low.text || (text === low.text && !low.open)) &&
    (high === undefined || text < high.text || (text === high.text && !high.open))
  );
}

/** What is in both; `undefined` if nothing is. */
export function both(one: Domain, other: Domain): Domain | undefined {
  const kinds = keepKinds(one, other.kinds);
  const numbers = kinds === undefined ? undefined : keepNumbers(kinds, other.numbers);
  return numbers === undefined ? undefined : keepTexts(numbers, other.texts);
}

/** Everything that either can be, at least. */
export function unite(one: Domain, other: Domain): Domain {
  if (one === other) return one;
  const hasNumbers = [one, other].filter(({ kinds }) => (kinds & NUMBER) !== 0);
  const hasTexts = [one, other].filter(({ kinds }) => (kinds & TEXT) !== 0);
  const isWhole = hasNumbers.every((domain) => domain.isWhole);
  return {
    kinds: one.kinds | other.kinds,
    numbers: mergeIntervals(
      hasNumbers.flatMap(({ numbers }) => numbers),
      isWhole,
    ),
    isWhole,
    texts: uniteTexts(hasTexts.map(({ texts }) => texts)),
  };
}

function uniteTexts([one, other]: readonly Texts[]): Texts {
  if (one === undefined) return allTexts;
  if (other === undefined || one === other) return one;
  if (one.only !== undefined && other.only !== undefined)
    return { ...allTexts, only: [...new Set([...one.only, ...other.only])] };
  const shared = (name: 'not' | 'starts' | 'notStarts' | 'ends' | 'notEnds' | 'contains' | 'notContains'): readonly string[] =>
    one[name].filter((text) => other[name].includes(text));
  const either = (base: Texts, listed: readonly string[]): readonly string[] => base.not.filter((text) => !listed.includes(text));
  if (one.only !== undefined || other.only !== undefined) {
    const [listed, open] = one.only === undefined ? [other, one] : [one, other];
    const isPlain = open.starts.length + open.notStarts.length + open.ends.length + open.notEnds.length === 0;
    return isPlain ? { ...allTexts, not: either(open, listed.only ?? []) } : allTexts;
  }
  return {
    not: shared('not'),
    starts: shared('starts'),
    notStarts: shared('notStarts'),
    ends: shared('ends'),
    notEnds: shared('notEnds'),
    contains: shared('contains'),
    notContains: shared('notContains'),
  };
}

/** Whether `unite` gives no more than what either can be. */
export function unitesExactly(one: Domain, other: Domain): boolean {
  const both = one.kinds & other.kinds;
  return (
    ((both & NUMBER) === 0 || one.isWhole === other.isWhole) &&
    ((both & TEXT) === 0 || unitesTextsExactly(one.texts, other.texts))
  );
}

const OPPOSITES = [
  ['starts', 'notStarts'],
  ['ends', 'notEnds'],
  ['contains', 'notContains'],
] as const;
const LISTS = ['not', ...OPPOSITES.flat()] as const;

function unitesTextsExactly(one: Texts, other: Texts): boolean {
  if (one === other || (one.only !== undefined && other.only !== undefined)) return true;
  if ([one, other].some(({ low, high }) => low !== undefined || high !== undefined)) return false;
  const apart = LISTS.filter((name) => one[name].join('\n') !== other[name].join('\n'));
  if (one.only !== undefined || other.only !== undefined) {
    const open = one.only === undefined ? one : other;
    return LISTS.every((name) => name === 'not' || open[name].length === 0);
  }
  if (apart.length === 0) return true;
  // One ends with it, the other doesn't, and nothing else tells them apart.
  return OPPOSITES.some(([is, isNot]) => {
    const text = [one, other]
      .flatMap((texts) => texts[is])
      .find((each) => [one, other].some((texts) => texts[isNot].includes(each)));
    const without = (texts: Texts, name: (typeof LISTS)[number]): string =>
      texts[name].filter((each) => each !== text || (name !== is && name !== isNot)).join('\n');
    return text !== undefined && apart.every((name) => without(one, name) === without(other, name));
  });
}

/** Sorted, with those that touch as one. Between 3 and 4 there is no whole number. */
function mergeIntervals(intervals: readonly Interval[], isWhole: boolean): Interval[] {
  const sorted = [...intervals].sort((one, other) => one.low - other.low || Number(one.lowOpen) - Number(other.lowOpen));
  const merged: Interval[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    const touches =
      last !== undefined &&
      (next.low < last.high ||
        (next.low === last.high && !(next.lowOpen && last.highOpen)) ||
        (isWhole && next.low === last.high + 1 && !next.lowOpen && !last.highOpen));
    if (last === undefined || !touches) merged.push(next);
    else if (next.high > last.high || (next.high === last.high && !next.highOpen))
      merged[merged.length - 1] = { ...last, high: next.high, highOpen: next.highOpen };
  }
  return merged;
}
