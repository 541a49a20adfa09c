// `first 3 characters of`, `last 3 characters of`, `characters 2 to 5 of`. A character is a code point.
import { countFor } from '../lists/list-operand.js';
import type { SourceLocation, Value } from '../types.js';
import { subjectText } from './text-operand.js';

/**
 * `empty` stays `empty`. The location has the texts of the value and of N. @throws WfError if the value is not text, or N not a whole
 * number
 */
export function charactersAtStart(count: Value, value: Value, location?: SourceLocation): Value {
  const text = subjectText('first … characters of', value, location);
  const length = countFor('characters', count, 0, location, 4);
  return text === undefined ? null : text.slice(0, unitsAhead(text, 0, length));
}

/** As `charactersAtStart`. */
export function charactersAtEnd(count: Value, value: Value, location?: SourceLocation): Value {
  const text = subjectText('last … characters of', value, location);
  const length = countFor('characters', count, 0, location, 4);
  if (text === undefined) return null;
  let at = text.length;
  for (let left = length; left > 0 && at > 0; left--) at -= isPair(text, at - 2) ? 2 : 1;
  return text.slice(at);
}

/** From 1, both ends included. As `charactersAtStart`. */
export function charactersBetween(from: Value, to: Value, value: Value, location?: SourceLocation): Value {
  const text = subjectText('characters … to … of', value, location);
  const first = countFor('characters', from, 1, location, 4);
  const last = countFor('characters', to, 0, location, 5);
  if (text === undefined) return null;
  const start = unitsAhead(text, 0, first - 1);
  return text.slice(start, unitsAhead(text, start, Math.max(0, last - first + 1)));
}

/** Index after that many characters from `at`. */
function unitsAhead(text: string, at: number, count: number): number {
  let end = at;
  for (let left = count; left > 0 && end < text.length; left--) end += isPair(text, end) ? 2 : 1;
  return end;
}

/** Whether the character takes two UTF-16 units. */
const isPair = (text: string, at: number): boolean => at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;
