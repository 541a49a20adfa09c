// Says in words what a value can be: `above 40`, `from 10 to 20`, `one of "AT", "CH"`.
import { dateText } from '../../runtime/dates/moment.js';
import {
  ANY,
  BOOLEAN,
  type Domain,
  EMPTY,
  FALSE,
  FIELDS,
  type Interval,
  ITEMS,
  meet,
  NO_FIELDS,
  NO_ITEMS,
  NUMBER,
  TEXT,
  type Texts,
  TRUE,
} from './domain.js';
import type { Atom } from './symbolic.js';

/** Of all kinds, the values that are empty. */
const NOTHING = EMPTY | NO_ITEMS | NO_FIELDS | TEXT;

function intervalWords({ low, high, lowOpen, highOpen }: Interval, shown: Shown): string {
  const [hasLow, hasHigh] = [Number.isFinite(low), Number.isFinite(high)];
  if (hasLow && low === high) return shown(low);
  const lowWords = `${lowOpen ? 'above' : 'at least'} ${shown(low)}`;
  const highWords = `${highOpen ? 'below' : 'at most'} ${shown(high)}`;
  if (hasLow && hasHigh) return lowOpen || highOpen ? `${lowWords} and ${highWords}` : `from ${shown(low)} to ${shown(high)}`;
  if (hasLow) return lowWords;
  return hasHigh ? highWords : 'a number';
}

type Shown = (number: number) => string;

/** A limit that the file calculates may have no end: `about 33.33`. */
const plain: Shown = (number) =>
  Number(number.toFixed(4)) === number ? String(number) : `about ${Number(number.toFixed(2)) || number}`;

/** Whether the numbers of a value are days. */
export const isDay = ({ origin }: Atom): boolean => origin.is === 'operation' && origin.name === 'day number';
export const dayWords: Shown = (day) => JSON.stringify(dateText(day));

/** `undefined` if it can be anything. */
export function domainWords(domain: Domain, shown = plain): string | undefined {
  const { kinds, numbers, texts } = domain;
  // An empty list, an empty record and "" are `empty`.
  if (texts.only?.includes('') === true && (kinds & (NOTHING | ITEMS | FIELDS)) === NOTHING) {
    const only = texts.only.filter((text) => text !== '');
    const others = kinds & ~(NO_ITEMS | NO_FIELDS);
    return domainWords({ ...domain, kinds: only.length > 0 ? others : others & ~TEXT, texts: { ...texts, only } }, shown);
  }
  const isAnyNumber = numbers.length === 1 && numbers[0]?.low === -Infinity && numbers[0].high === Infinity;
  const plainTexts = isPlain(texts);
  if (kinds === ANY && isAnyNumber && plainTexts) return undefined;
  const isFilled = kinds === TEXT ? texts.not.length === 1 : kinds === ((ANY & ~NOTHING) | TEXT) && isAnyNumber;
  if (isFilled && texts.not.join() === '' && isPlain({ ...texts, not: [] })) return 'not empty';
  const parts = [
    ...((kinds & NUMBER) === 0 ? [] : numbersWords(domain, isAnyNumber, shown)),
    ...((kinds & TEXT) === 0 ? [] : [plainTexts ? 'text' : textWords(texts)]),
    ...((kinds & BOOLEAN) === BOOLEAN
      ? ['true or false']
      : (kinds & TRUE) !== 0
        ? ['true']
        : (kinds & FALSE) !== 0
          ? ['false']
          : []),
    ...eitherWords(kinds, NO_ITEMS, ITEMS, 'list', 'items'),
    ...eitherWords(kinds, NO_FIELDS, FIELDS, 'record', 'fields'),
    ...((kinds & EMPTY) === 0 ? [] : ['empty']),
  ];
  // Of a value of almost any kind, only what is excluded is worth saying.
  if (parts.length >= 5) {
    const excluded = [
      ...numbers.slice(1).map((next, index) => intervalWords(between(numbers[index] ?? next, next, false), shown)),
      ...texts.not.flatMap((text) => (text === '' && (kinds & EMPTY) === 0 ? [] : JSON.stringify(text))),
      ...texts.notStarts.map((text) => `starting with ${JSON.stringify(text)}`),
      ...((kinds & BOOLEAN) === TRUE ? ['false'] : []),
      ...((kinds & EMPTY) === 0 ? ['empty'] : []),
    ];
    if (excluded.length > 0) return `not ${excluded.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`;
    if ((kinds & TEXT) !== 0 && !plainTexts) return textWords(texts);
    return (kinds & TRUE) === 0 ? 'not true' : (kinds & FALSE) === 0 ? 'not false' : 'anything else';
  }
  return parts.join(parts.some((part) => /^not | and | but /.test(part)) ? ', or ' : ' or ');
}

/** Those that are missing between two intervals belong to one interval: `at most 2000 but not 0`. */
function numbersWords({ numbers, isWhole }: Domain, isAny: boolean, shown: Shown): string[] {
  if (isAny) return ['a number'];
  const spans: { all: Interval; readonly missing: string[] }[] = [];
  for (const next of numbers) {
    const last = spans.at(-1);
    const gap = last && between(last.all, next, isWhole);
    if (last === undefined || gap?.low !== gap?.high) spans.push({ all: next, missing: [] });
    else {
      last.missing.push(shown(gap?.low ?? 0));
      last.all = { ...last.all, high: next.high, highOpen: next.highOpen };
    }
  }
  return spans.map(({ all, missing }) => {
    const words = intervalWords(all, shown);
    if (missing.length === 0) return words;
    return `${words === 'a number' ? '' : `${words} but `}not ${missing.join(' or ')}`;
  });
}

/** The numbers between two intervals. */
function between(one: Interval, other: Interval, isWhole: boolean): Interval {
  const gap = { low: one.high, lowOpen: !one.highOpen, high: other.low, highOpen: !other.lowOpen };
  return meet(gap, gap, isWhole) ?? gap;
}

/** @param none the kind without parts @param some the kind with some */
const eitherWords = (kinds: number, none: number, some: number, what: string, parts: string): string[] =>
  (kinds & none) === 0
    ? (kinds & some) === 0
      ? []
      : [`a ${what} with ${parts}`]
    : [(kinds & some) === 0 ? `an empty ${what}` : `a ${what}`];

const isPlain = (texts: Texts): boolean =>
  texts.only === undefined &&
  texts.low === undefined &&
  texts.high === undefined &&
  [texts.not, texts.starts, texts.notStarts, texts.ends, texts.notEnds, texts.contains, texts.notContains].every(
    (list) => list.length === 0,
  );

function textWords(texts: Texts): string {
  const { only, not, starts, notStarts, ends, notEnds, contains, notContains, low, high } = texts;
  const quoted = (list: readonly string[]): string => list.map((text) => JSON.stringify(text)).join(', ');
  if (only !== undefined) return only.length === 1 ? quoted(only) : `one of ${quoted(only)}`;
  const parts = [
    ...(not.length === 0 ? [] : [`not ${quoted(not)}`]),
    ...(starts.length === 0 ? [] : [`starts with ${quoted(starts)}`]),
    ...(notStarts.length === 0 ? [] : [`does not start with ${quoted(notStarts)}`]),
    ...(ends.length === 0 ? [] : [`ends with ${quoted(ends)}`]),
    ...(notEnds.length === 0 ? [] : [`does not end with ${quoted(notEnds)}`]),
    ...(contains.length === 0 ? [] : [`contains ${quoted(contains)}`]),
    ...(notContains.length === 0 ? [] : [`does not contain ${quoted(notContains)}`]),
    ...(low === undefined ? [] : [`${low.open ? 'after' : 'not before'} ${JSON.stringify(low.text)}`]),
    ...(high === undefined ? [] : [`${high.open ? 'before' : 'up to'} ${JSON.stringify(high.text)}`]),
  ];
  return parts.join(' and ');
}
