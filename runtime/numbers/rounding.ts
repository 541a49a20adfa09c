// `rounded up to` and `rounded down to`, based on the decimal digits that people see.

import type { SourceLocation, Value } from '../types.js';
import { numberText, powersOfTen } from '../values/number-format.js';
import { cannotRound, wrongPlaces } from '../values/value-errors.js';

/** `rounded up to N places`: away from zero. @throws WfError for a value that is not a number, and for an impossible number of places */
export function roundedUp(value: Value, places: Value, location?: SourceLocation): number {
  return roundedTowards(value, places, 1, 'rounded up to', location);
}

/** `rounded down to N places`: towards zero. @throws WfError like `roundedUp` */
export function roundedDown(value: Value, places: Value, location?: SourceLocation): number {
  return roundedTowards(value, places, 0, 'rounded down to', location);
}

function roundedTowards(value: Value, places: Value, up: 0 | 1, word: string, location: SourceLocation | undefined): number {
  if (typeof value !== 'number') throw cannotRound(value, location, word);
  if (typeof places !== 'number' || !Number.isInteger(places) || places < 0 || places > 15) throw wrongPlaces(places, location);
  if (Number.isInteger(value)) return value + 0;
  const size = Math.abs(value);
  const power = powersOfTen[places] ?? 1;
  const scaled = size * power;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  // Far from a whole number, binary and decimal agree on the side the value is on.
  const isClear = scaled < 1e9 && rest > 1e-4 && rest < 1 - 1e-4;
  const result = isClear ? (below + up) / power : cutText(numberText(size), places, up);
  return value < 0 ? -result + 0 : result;
}

/** Truncates the decimal text of a positive number. With `up`, adds one unit of the last place if anything was cut. */
function cutText(text: string, places: number, up: 0 | 1): number {
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length <= places) return Number(text);
  const isLess = /[1-9]/.test(fraction.slice(places));
  return Number(`${BigInt(whole + fraction.slice(0, places)) + (isLess && up === 1 ? 1n : 0n)}e-${places}`);
}
