// Computes the length of a value's JSON without creating it: a list may contain the same long text a million times.
import type { Value } from '../values/value-types.js';

/**
 * Maximum characters of text that leaves a run: outputs, a request, a log line, a recording. The JavaScript engine could store
 * more, but not all the copies made along the way, and not without minutes of silence.
 */
export const mostText = 64 * 1024 * 1024;

/** Characters of the value's JSON, or some number above `most` if there are more, because counting stops early. */
export function jsonSize(value: Value, most: number = mostText): number {
  if (typeof value === 'string') return stringSize(value, most);
  if (typeof value === 'number') return String(value).length;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= most; index++) size += jsonSize(value[index], most - size) + 1;
  } else {
    for (const key of Object.keys(value)) {
      if (size > most) break;
      size += stringSize(key, most - size) + 2;
      if (size <= most) size += jsonSize(value[key], most - size);
    }
  }
  return size;
}

/** Includes the quotes. Half a surrogate pair, a quote, a backslash and a control character are longer in JSON. */
function stringSize(text: string, most: number): number {
  let size = text.length + 2;
  if (size > most) return size;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22 || unit === 0x5c) size++;
    else if (unit < 0x20 || (unit >= 0xd800 && unit <= 0xdfff)) size += 5;
  }
  return size;
}
