// The calculated values: count, sum, first, last, upper and lower case, trimmed, number and text of. `empty` counts as an empty
// list, and stays `empty` when changed as text. `now` and `today` belong to the run.
import { subjectText } from '../texts/text-operand.js';
import type { SourceLocation, Value } from '../types.js';
import { work, workOnText } from '../workload.js';
import { characterCount } from './fields.js';
import { numberIn, numberText, powersOfTen, withoutNoise } from './number-format.js';
import { noNumberIn, notAListToSum, notAListToTakeFrom, notCountable, notSummable, sumNotFinite } from './value-errors.js';
import { show } from './values.js';

/** `count of`: the items of a list, the characters (code points) of text, 0 for `empty`. @throws WfError for anything else */
export function countOf(value: Value, location?: SourceLocation): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  throw notCountable(value, location);
}

/**
 * `sum of` a list of numbers. Skips `empty` items, like blank cells in a spreadsheet. Adds numbers that are short decimals as
 * decimals, so that a ledger whose entries cancel out sums to exactly 0.
 * @throws WfError if it is not a list, an item is not a number, or the sum is not finite
 */
export function sumOf(value: Value, location?: SourceLocation): number {
  if (value === null || value === undefined) return 0;
  if (!Array.isArray(value)) throw notAListToSum(value, location);
  work(value.length);
  const sum = decimalSum(value, location) ?? numbersIn(value, location).reduce((total, number) => total + number, 0);
  if (!Number.isFinite(sum)) throw sumNotFinite(location);
  return sum;
}

/** The items that are not `empty`. @throws WfError if one is not a number */
function numbersIn(list: readonly Value[], location: SourceLocation | undefined): number[] {
  const numbers: number[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (item === null || item === undefined) continue;
    if (typeof item !== 'number') throw notSummable(item, index, location);
    numbers.push(item);
  }
  return numbers;
}

/** More decimals than amounts, rates and measurements have. */
const mostDecimals = 12;
/** A number of so many digits that equals its decimal has no noise. */
const mostUnitsWithoutNoise = 1e11;

/**
 * Adds in whole units of 0.1, 0.01 … as needed. Returns `undefined` if a number has too many decimals, or too many units to be
 * exact.
 */
function decimalSum(list: readonly Value[], location: SourceLocation | undefined): number | undefined {
  let decimals = 0;
  let power = 1;
  let total = 0;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (item === null || item === undefined) continue;
    if (typeof item !== 'number') throw notSummable(item, index, location);
    let units = Math.round(item * power);
    if (units / power !== item || Math.abs(units) > mostUnitsWithoutNoise) {
      const number = withoutNoise(item);
      units = Math.round(number * power);
      while (units / power !== number) {
        if (++decimals > mostDecimals) return longDecimalSum(numbersIn(list, location), number);
        power = powersOfTen[decimals] ?? 1;
        units = Math.round(number * power);
        total *= 10;
      }
      if (!Number.isSafeInteger(units)) return longDecimalSum(numbersIn(list, location), number);
    }
    total += units;
    if (!Number.isSafeInteger(total)) return longDecimalSum(numbersIn(list, location), item);
  }
  return total / power;
}

/**
 * Adds large numbers to small ones exactly, which is slower.
 * @param first the number that was too large for the fast way; checked first
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

/** In whole units of the last significant decimal; `undefined` for more decimals or digits than are exact. */
function unitsOf(number: number): bigint | undefined {
  const [whole = '', fraction = ''] = numberText(number).split('.');
  if (fraction.length > mostDecimals || !Number.isSafeInteger(Number(whole + fraction))) return undefined;
  return BigInt(whole + fraction.padEnd(mostDecimals, '0'));
}

/** `first of`: `empty` for a list without items. @throws WfError for anything but a list or `empty`. */
export function firstOf(value: Value, location?: SourceLocation): Value {
  return listFor('first of', value, location)[0];
}

/** `last of`, like `firstOf`. */
export function lastOf(value: Value, location?: SourceLocation): Value {
  const list = listFor('last of', value, location);
  return list[list.length - 1];
}

function listFor(word: string, value: Value, location: SourceLocation | undefined): readonly Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw notAListToTakeFrom(word, value, location);
  return value;
}

/** `uppercase of` text, the same in every locale. `empty` stays `empty`. @throws WfError for anything else */
export function uppercase(value: Value, location?: SourceLocation): Value {
  return subjectText('uppercase of', value, location)?.toUpperCase();
}

/** `lowercase of`, like `uppercase`. */
export function lowercase(value: Value, location?: SourceLocation): Value {
  return subjectText('lowercase of', value, location)?.toLowerCase();
}

/** `trimmed`: text without white space at both ends. `empty` stays `empty`. @throws WfError unless it is text */
export function trimmed(value: Value, location?: SourceLocation): Value {
  return subjectText('trimmed', value, location)?.trim();
}

/** `number of`: a number as it is, or text that contains one (see `numberIn`). @throws WfError for anything else */
export function numberOf(value: Value, location?: SourceLocation): number {
  if (typeof value === 'string') workOnText(value.length);
  const number = typeof value === 'string' ? numberIn(value) : value;
  if (typeof number !== 'number') throw noNumberIn(value, location);
  return number;
}

/** `text of` anything: as it is shown. */
export function textOf(value: Value): string {
  return show(value);
}
