// Comparisons of two values: order, membership, start and end of text. Equality is in `equal.ts`.
import { momentOf } from '../dates/date-errors.js';
import type { Steps } from '../in-turns.js';
import type { SourceLocation, Value } from '../types.js';
import { work, workload, workOnText } from '../workload.js';
import { equal, equalSteps } from './equal.js';
import { withoutNoise } from './number-format.js';
import { cannotBeIn, cannotContain, noOrder, notAListToChooseFrom, notATextToMatch, unequalClocks } from './value-errors.js';
import { show } from './values.js';

/**
 * `is above`: compares two numbers without noise, or two texts by code point.
 * @param isDated one side is certainly a date or time, so the other must be one, too
 * @throws WfError for anything else
 */
export function above(left: Value, right: Value, location?: SourceLocation, isDated = false): boolean {
  return order(left, right, ABOVE, location, isDated) > 0;
}

/** `is below`, like `above`. */
export function below(left: Value, right: Value, location?: SourceLocation, isDated = false): boolean {
  return order(left, right, BELOW, location, isDated) < 0;
}

/** `is at least`, like `above`. */
export function atLeast(left: Value, right: Value, location?: SourceLocation, isDated = false): boolean {
  return order(left, right, AT_LEAST, location, isDated) >= 0;
}

/** `is at most`, like `above`. */
export function atMost(left: Value, right: Value, location?: SourceLocation, isDated = false): boolean {
  return order(left, right, AT_MOST, location, isDated) <= 0;
}

/** `is between low and high`, inclusive. Checks both limits, so that an invalid one is an error whatever the other says. */
export function between(value: Value, low: Value, high: Value, location?: SourceLocation, isDated = false): boolean {
  const fromLow = order(value, low, LOW, location, isDated);
  return order(value, high, HIGH, location, isDated) <= 0 && fromLow >= 0;
}

/** A time of day, with one or two digits for the hour. */
const CLOCK = /^\d{1,2}:\d\d(?::\d\d)?$/;

/** Its word, and the index of the second operand's text in the location. */
type Ordering = readonly [word: string, rightText: 4 | 5];

const ABOVE: Ordering = ['is above', 4];
const BELOW: Ordering = ['is below', 4];
const AT_LEAST: Ordering = ['is at least', 4];
const AT_MOST: Ordering = ['is at most', 4];
const LOW: Ordering = ['is between', 4];
const HIGH: Ordering = ['is between', 5];

/** Negative, 0 or positive. */
function order(left: Value, right: Value, ordering: Ordering, location: SourceLocation | undefined, isDated: boolean): number {
  if (typeof left === 'number' && typeof right === 'number') return numberOrder(left, right);
  const [word, rightText] = ordering;
  if (typeof left === 'string' && typeof right === 'string') {
    if (isDated) {
      momentOf(left, 'compare', location, 3, `the value before "${word}"`);
      momentOf(right, 'compare', location, rightText, `the value after "${word}"`);
    } else if (left.length !== right.length && CLOCK.test(left) && CLOCK.test(right)) {
      // Character by character, "9:00" would be after "17:30".
      throw unequalClocks(word, left, right, location, rightText);
    }
    return textOrder(left, right);
  }
  throw noOrder(word, left, right, location, rightText);
}

/** The order of two numbers without noise: negative, 0 or positive. For emitted code that knows that both are numbers. */
export function numberOrder(left: number, right: number): number {
  const gap = left - right;
  // Removing noise moves a number by less than one part in 10^14. If the gap is wider, it can't change the order.
  if (Math.abs(gap) > 1e-13 * (Math.abs(left) + Math.abs(right))) return gap;
  const first = withoutNoise(left);
  const second = withoutNoise(right);
  return first === second ? 0 : first < second ? -1 : 1;
}

const samePart = 4_096;

/** By code point. JavaScript's own order puts characters beyond U+FFFF (surrogate pairs) before U+E000–U+FFFF. */
export function textOrder(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  let index = 0;
  // Much faster for long texts with the same start than a look at each character.
  while (index + samePart < shared && left.slice(index, index + samePart) === right.slice(index, index + samePart))
    index += samePart;
  while (index < shared && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  workOnText(index);
  if (index === shared) return left.length - right.length;
  // If they differ in the second half of a pair, the character starts one unit earlier.
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
 * `contains`: text in text, a value in a list, the name of a field in a record. `empty` contains nothing and is in no text and
 * no record. A number or boolean sought in text or as a field is sought as its text.
 * @throws WfError if the container is a number or boolean, or if a list or record is sought in text or as a field
 */
export function contains(container: Value, sought: Value, location?: SourceLocation): boolean {
  if (container === null || container === undefined) return false;
  if (Array.isArray(container)) return holds(container, sought);
  if (typeof container !== 'string' && typeof container !== 'object') throw cannotContain(container, location);
  if (sought === null || sought === undefined) return false;
  if (typeof sought === 'object') throw cannotBeIn(sought, typeof container === 'string' ? 'text' : 'record', location);
  const text = show(sought);
  if (typeof container === 'string') workOnText(container.length);
  return typeof container === 'string' ? container.includes(text) : Object.prototype.propertyIsEnumerable.call(container, text);
}

/** `is one of`: membership in a list. `empty` counts as an empty list. @throws WfError for any other second value */
export function oneOf(value: Value, list: Value, location?: SourceLocation): boolean {
  if (list === null || list === undefined) return false;
  if (!Array.isArray(list)) throw notAListToChooseFrom(list, location);
  return holds(list, value);
}

/** As `contains`, in turns. */
export function* containsSteps(container: Value, sought: Value, location?: SourceLocation): Steps<boolean> {
  if (!Array.isArray(container)) return contains(container, sought, location);
  return (yield* positionSteps(container, sought)) !== -1;
}

/** As `oneOf`, in turns. */
export function* oneOfSteps(value: Value, list: Value, location?: SourceLocation): Steps<boolean> {
  if (!Array.isArray(list)) return oneOf(value, list, location);
  return (yield* positionSteps(list, value)) !== -1;
}

/** The position of the first equal item; -1 if there is none. */
export function* positionSteps(list: readonly Value[], sought: Value): Steps<number> {
  const count = list.length;
  const isCompound = typeof sought === 'object' && sought !== null;
  for (let index = 0; index < count; index++) {
    if (isCompound ? yield* equalSteps(list[index], sought) : equal(list[index], sought)) return index;
    if (index % 4_096 === 4_095 || workload.isDue) yield;
  }
  return -1;
}

function holds(list: readonly Value[], sought: Value): boolean {
  work(list.length);
  for (let index = 0; index < list.length; index++) {
    if (equal(list[index], sought)) return true;
  }
  return false;
}

/**
 * `starts with`: two texts. A number or boolean after it counts as its text; `empty` on either side gives false.
 * @throws WfError otherwise
 */
export function startsWith(text: Value, start: Value, location?: SourceLocation): boolean {
  const sought = soughtText('starts with', text, start, location);
  return typeof text === 'string' && sought !== undefined && text.startsWith(sought);
}

/** `ends with`, like `startsWith`. */
export function endsWith(text: Value, end: Value, location?: SourceLocation): boolean {
  const sought = soughtText('ends with', text, end, location);
  return typeof text === 'string' && sought !== undefined && text.endsWith(sought);
}

/**
 * The part as text, `undefined` for `empty`. Checks both operands, so that an invalid one is an error whatever the other is.
 */
function soughtText(word: string, text: Value, part: Value, location: SourceLocation | undefined): string | undefined {
  if (typeof text !== 'string' && text !== null && text !== undefined) throw notATextToMatch(word, text, location?.[3], location);
  if (typeof part === 'object' && part !== null) throw notATextToMatch(word, part, location?.[4], location);
  return part === null || part === undefined ? undefined : show(part);
}
