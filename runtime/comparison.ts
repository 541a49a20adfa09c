// The conditions that compare two values: order, membership, beginnings and ends → true, false or a `WfError`. Equality is in
// `equal.ts`.
import { cannotBeIn, cannotContain, noOrder, notAListToChooseFrom, notATextToMatch } from './complaints.js';
import { equal } from './equal.js';
import { tidy } from './tidy.js';
import type { Place, Value } from './types.js';
import { show } from './values.js';

/** `is above`: two numbers, tidied, or two texts by code point. @throws WfError for anything else. */
export function above(left: Value, right: Value, place?: Place): boolean {
  return order(left, right, 'is above', place) > 0;
}

/** `is below`, as `above`. */
export function below(left: Value, right: Value, place?: Place): boolean {
  return order(left, right, 'is below', place) < 0;
}

/** `is at least`, as `above`. */
export function atLeast(left: Value, right: Value, place?: Place): boolean {
  return order(left, right, 'is at least', place) >= 0;
}

/** `is at most`, as `above`. */
export function atMost(left: Value, right: Value, place?: Place): boolean {
  return order(left, right, 'is at most', place) <= 0;
}

/**
 * `is between low and high`, both included. Both limits are compared, so that a wrong one is an error whatever the other says.
 */
export function between(value: Value, low: Value, high: Value, place?: Place): boolean {
  const fromLow = order(value, low, 'is between', place);
  return order(value, high, 'is between', place, 5) <= 0 && fromLow >= 0;
}

/** Negative, 0 or positive; `rightText` is where the place has the text of the second operand. */
function order(left: Value, right: Value, word: string, place: Place | undefined, rightText: 4 | 5 = 4): number {
  if (typeof left === 'number' && typeof right === 'number') return numberOrder(left, right);
  if (typeof left === 'string' && typeof right === 'string') return textOrder(left, right);
  throw noOrder(word, left, right, place, rightText);
}

/** The order of two numbers as they are tidied: negative, 0 or positive. For emitted code that knows both to be numbers. */
export function numberOrder(left: number, right: number): number {
  const gap = left - right;
  // Tidying moves a number by less than a part in 10^14: where the gap is wider, it cannot change the order.
  if (Math.abs(gap) > 1e-13 * (Math.abs(left) + Math.abs(right))) return gap;
  const first = tidy(left);
  const second = tidy(right);
  return first === second ? 0 : first < second ? -1 : 1;
}

/** By code point: JavaScript's own order puts characters beyond U+FFFF (pairs of surrogates) before U+E000–U+FFFF. */
function textOrder(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  let index = 0;
  while (index < shared && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  if (index === shared) return left.length - right.length;
  // The texts may differ in the second half of a pair: the character starts one unit earlier.
  if (index > 0 && isHighSurrogate(left.charCodeAt(index - 1)) && (isLowSurrogate(left, index) || isLowSurrogate(right, index)))
    index--;
  return (left.codePointAt(index) ?? 0) - (right.codePointAt(index) ?? 0);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * `contains` (language.md 4): a text in a text, a value in a list, the name of a field in a record. `empty` contains nothing and
 * is in no text and no record. A number or boolean that is looked for in a text or as a field is looked for as it is shown.
 * @throws WfError where the first value is a number or boolean, and for a list or record sought in a text or as a field.
 */
export function contains(container: Value, sought: Value, place?: Place): boolean {
  if (container === null || container === undefined) return false;
  if (Array.isArray(container)) return holds(container, sought);
  if (typeof container !== 'string' && typeof container !== 'object') throw cannotContain(container, place);
  if (sought === null || sought === undefined) return false;
  if (typeof sought === 'object') throw cannotBeIn(sought, typeof container === 'string' ? 'text' : 'record', place);
  const text = show(sought);
  return typeof container === 'string' ? container.includes(text) : Object.prototype.propertyIsEnumerable.call(container, text);
}

/** `is one of`: membership in a list; `empty` counts as an empty list. @throws WfError for any other second value. */
export function oneOf(value: Value, list: Value, place?: Place): boolean {
  if (list === null || list === undefined) return false;
  if (!Array.isArray(list)) throw notAListToChooseFrom(list, place);
  return holds(list, value);
}

function holds(list: readonly Value[], sought: Value): boolean {
  for (let index = 0; index < list.length; index++) {
    if (equal(list[index], sought)) return true;
  }
  return false;
}

/**
 * `starts with`: two texts. A number or boolean after it counts as it is shown; `empty` on either side is false.
 * @throws WfError otherwise.
 */
export function startsWith(text: Value, start: Value, place?: Place): boolean {
  const sought = soughtText('starts with', text, start, place);
  return typeof text === 'string' && sought !== undefined && text.startsWith(sought);
}

/** `ends with`, as `startsWith`. */
export function endsWith(text: Value, end: Value, place?: Place): boolean {
  const sought = soughtText('ends with', text, end, place);
  return typeof text === 'string' && sought !== undefined && text.endsWith(sought);
}

/**
 * The part as text, `undefined` for `empty`; both operands are looked at, so that a wrong one is an error whatever the other is.
 */
function soughtText(word: string, text: Value, part: Value, place: Place | undefined): string | undefined {
  if (typeof text !== 'string' && text !== null && text !== undefined) throw notATextToMatch(word, text, place?.[3], place);
  if (typeof part === 'object' && part !== null) throw notATextToMatch(word, part, place?.[4], place);
  return part === null || part === undefined ? undefined : show(part);
}
