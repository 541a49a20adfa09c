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

/** Whether the numbers of a value are days. */
export const isDay = ({ origin }: Atom): boolean => origin.is === 'operation' && origin.name === 'day number';
export const dayWords: Shown = (day) => JSON.stringify(dateText(day));

/** `undefined` if it can be anything. */
export function domainWords(domain: Domain, shown: Shown = String): string | undefined {
  const { kinds, numbers, texts } = domain;
  const isAnyNumber = numbers.length === 1 && numbers[0]?.low === -Infinity && numbers[0].high === Infinity;
  const plainTexts = isPlain(texts);
  if (kinds === ANY && isAnyNumber && plainTexts) return undefined;
  if (kinds === NOTHING && texts.only?.join() === '') return 'empty';
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
      ...(isAnyNumber ? [] : outsideWords(numbers, shown)),
      ...texts.not.map((text) => JSON.stringify(text)),
      ...texts.notStarts.map((text) => `starting with ${JSON.stringify(text)}`),
      ...((kinds & BOOLEAN) === TRUE ? ['false'] : []),
      ...((kinds & EMPTY) === 0 ? ['empty'] : []),
    ];
    if (excluded.length > 0) return `not ${excluded.join(', ')}`;
    if (texts.only?.join() === '' && (kinds & TRUE) === 0) return 'false, 0 or empty';
    if ((kinds & TEXT) !== 0 && !plainTexts) return textWords(texts);
    return (kinds & TRUE) === 0 ? 'not true' : (kinds & FALSE) === 0 ? 'not false' : 'anything else';
  }
  return parts.join(' or ');
}

const numbersWords = ({ numbers }: Domain, isAny: boolean, shown: Shown): string[] =>
  isAny ? ['a number'] : numbers.map((part) => intervalWords(part, shown));

/** @param none the kind without parts @param some the kind with some */
const eitherWords = (kinds: number, none: number, some: number, what: string, parts: string): string[] =>
  (kinds & none) === 0
    ? (kinds & some) === 0
      ? []
      : [`a ${what} with ${parts}`]
    : [(kinds & some) === 0 ? `an empty ${what}` : `a ${what}`];

/** The numbers between the intervals. */
function outsideWords(numbers: readonly Interval[], shown: Shown): string[] {
  return numbers.slice(1).flatMap((next, index) => {
    const last = numbers[index];
    if (last === undefined) return [];
    return [intervalWords({ low: last.high, lowOpen: !last.highOpen, high: next.low, highOpen: !next.lowOpen }, shown)];
  });
}

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
