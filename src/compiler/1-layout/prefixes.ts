// Counts the prefix words (`not`, `count of`) in front of a value. Each nests the value one level deeper, so their number is limited.
import { wordCharacter } from './alphabet.js';

/** Any more would overflow the stack of the parser. */
export const MOST_PREFIXES = 200;

const characters = (words: string): ReadonlySet<string> => new Set(words.split(' ').map((word) => wordCharacter(word) ?? ''));
const prefixes = characters('not of trimmed reversed from');
/** The first words of `count of` and similar prefixes. */
const beginnings = characters(
  'count sum first last highest lowest average unique fields uppercase lowercase absolute value number text date time weekday day week month year hour ' +
    'minute start end quarter position remainder characters percent seconds minutes hours days weeks months years working',
);

/** Index of the token that exceeds the limit of prefixes before one value, or -1. */
export function excessPrefix(shape: string): number {
  if (shape.length <= MOST_PREFIXES) return -1;
  /** Before the open brackets, and since. */
  const held: number[] = [];
  let before = 0;
  let count = 0;
  for (let index = 0; index < shape.length; index++) {
    const token = shape.charAt(index);
    if (prefixes.has(token)) {
      if (before + ++count > MOST_PREFIXES) return index;
    } else if (token === '(' || token === '[') {
      held.push(count);
      before += count;
      count = 0;
    } else if (!beginnings.has(token)) {
      if (token === ')' || token === ']') before -= held.pop() ?? 0;
      count = 0;
    }
  }
  return -1;
}
