// The ready-made expressions (language.md 4): count, sum, first, last, upper and lower case, trimmed, number and text of.
// `empty` counts as an empty list, and stays `empty` where a text is changed; `now` and `today` belong to the run.
import {
  noNumberIn,
  notAListToSum,
  notAListToTakeFrom,
  notAText,
  notCountable,
  notSummable,
  sumNotFinite,
} from './complaints.js';
import { characterCount, field, listIndex } from './fields.js';
import { numberIn, numberText, powersOfTen, tidy } from './tidy.js';
import type { Place, Value } from './types.js';
import { show } from './values.js';

/** `count of`: items of a list, characters (code points) of a text, 0 for `empty`. @throws WfError for anything else. */
export function countOf(value: Value, place?: Place): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  throw notCountable(value, place);
}

/**
 * `sum of` a list of numbers; items that are `empty` are passed over, as blank cells are in a spreadsheet. Numbers that are short
 * decimals are added as decimals, so that a ledger whose entries cancel out sums to 0.
 * @throws WfError for anything but a list, an item that is no number, a sum that is not finite.
 */
export function sumOf(value: Value, place?: Place): number {
  if (value === null || value === undefined) return 0;
  if (!Array.isArray(value)) throw notAListToSum(value, place);
  const numbers: number[] = [];
  for (let index = 0; index < value.length; index++) {
    const item = value[index];
    if (item === null || item === undefined) continue;
    if (typeof item !== 'number') throw notSummable(item, index, place);
    numbers.push(item);
  }
  const sum = decimalSum(numbers) ?? numbers.reduce((total, number) => total + number, 0);
  if (!Number.isFinite(sum)) throw sumNotFinite(place);
  return sum;
}

/** More decimals than amounts, rates and measures have. */
const mostDecimals = 12;

/**
 * Adds in whole units of 0.1, 0.01 … as the numbers need them; `undefined` where one by itself has too many decimals, or too many units
 * to be exact.
 */
function decimalSum(numbers: readonly number[]): number | undefined {
  let decimals = 0;
  let total = 0;
  for (const noisy of numbers) {
    const number = tidy(noisy);
    let power = powersOfTen[decimals] ?? 1;
    let units = Math.round(number * power);
    while (units / power !== number) {
      if (++decimals > mostDecimals) return longDecimalSum(numbers, number);
      power = powersOfTen[decimals] ?? 1;
      units = Math.round(number * power);
      total *= 10;
    }
    total += units;
    if (!Number.isSafeInteger(total) || !Number.isSafeInteger(units)) return longDecimalSum(numbers, number);
  }
  return total / (powersOfTen[decimals] ?? 1);
}

/**
 * The same for large numbers beside small ones, which is slower.
 * @param first looked at before all others: the one that was too much for the fast way
 */
function longDecimalSum(numbers: readonly number[], first: number): number | undefined {
  if (unitsOf(first) === undefined) return undefined;
  let total = 0n;
  for (const number of numbers) {
    const units = unitsOf(number);
    if (units === undefined) return undefined;
    total += units;
  }
  return Number(`${total}e-${mostDecimals}`);
}

/** In whole units of the last decimal that counts; `undefined` for more decimals, and for more digits than are exact. */
function unitsOf(number: number): bigint | undefined {
  const [whole = '', fraction = ''] = numberText(number).split('.');
  if (fraction.length > mostDecimals || !Number.isSafeInteger(Number(whole + fraction))) return undefined;
  return BigInt(whole + fraction.padEnd(mostDecimals, '0'));
}

/**
 * `sum of a.b.c`: reads the keys one after the other from the root; where that meets a list, the rest of the path is read from
 * each of its items, `sum of rows.amount`. A path that ends at a list sums the list. The keys may be the whole path or only its
 * end.
 * @throws WfError as `sumOf` and `field`.
 */
export function sumField(root: Value, keys: readonly string[], place?: Place): number {
  let value = root;
  for (let step = 0; step < keys.length; step++) {
    const key = keys[step] ?? '';
    if (Array.isArray(value) && listIndex(key) === undefined) {
      const found: Value[] = [];
      collect(value, keys, step, found, place);
      return sumOf(found, place);
    }
    value = field(value, key, place);
  }
  return sumOf(value, place);
}

/** Appends what the rest of the path finds in each item, going into lists on the way. */
function collect(list: readonly Value[], keys: readonly string[], from: number, found: Value[], place: Place | undefined): void {
  for (let index = 0; index < list.length; index++) {
    let value = list[index];
    let step = from;
    while (step < keys.length && !Array.isArray(value)) {
      const key = keys[step++] ?? '';
      value = field(value, key, hasFields(value) ? place : placeOfItem(place, keys[from] ?? '', index));
    }
    if (Array.isArray(value) && step < keys.length) collect(value, keys, step, found, place);
    else found.push(value);
  }
}

const hasFields = (value: Value): boolean => value === null || value === undefined || typeof value === 'object';

/** The place of `rows.amount`, for the item of `rows` that is at fault: `rows.3.amount`. */
function placeOfItem(place: Place | undefined, key: string, index: number): Place | undefined {
  if (place === undefined) return undefined;
  const [line, column, length, path = '', ...rest] = place;
  return [line, column, length, `${path}.`.replace(`.${key}.`, `.${index}.${key}.`).slice(0, -1), ...rest];
}

/** `first of`: `empty` for a list without items. @throws WfError for anything but a list or `empty`. */
export function firstOf(value: Value, place?: Place): Value {
  return listFor('first of', value, place)[0];
}

/** `last of`, as `firstOf`. */
export function lastOf(value: Value, place?: Place): Value {
  const list = listFor('last of', value, place);
  return list[list.length - 1];
}

function listFor(word: string, value: Value, place: Place | undefined): readonly Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw notAListToTakeFrom(word, value, place);
  return value;
}

/** `uppercase of` a text, the same in every locale; `empty` stays `empty`. @throws WfError for anything else. */
export function uppercase(value: Value, place?: Place): Value {
  return textFor('uppercase of', value, place)?.toUpperCase();
}

/** `lowercase of`, as `uppercase`. */
export function lowercase(value: Value, place?: Place): Value {
  return textFor('lowercase of', value, place)?.toLowerCase();
}

/** `trimmed`: without white space at either end; `empty` stays `empty`. @throws WfError for anything but a text. */
export function trimmed(value: Value, place?: Place): Value {
  return textFor('trimmed', value, place)?.trim();
}

function textFor(word: string, value: Value, place: Place | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string') throw notAText(word, value, place);
  return value;
}

/** `number of`: a number as it is, a text that holds one (see `numberIn`). @throws WfError for all else. */
export function numberOf(value: Value, place?: Place): number {
  const number = typeof value === 'string' ? numberIn(value) : value;
  if (typeof number !== 'number') throw noNumberIn(value, place);
  return number;
}

/** `text of` anything: as it is shown. */
export function textOf(value: Value): string {
  return show(value);
}
