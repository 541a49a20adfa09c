// Words that stand before a value and ask for another one (`not`, `count of`): how many of them stand in front of one value.
import { wordCharacter } from './alphabet.js';

/** More than these the parser could not read with the stack that there is. */
export const MOST_PREFIXES = 200;

const characters = (words: string): ReadonlySet<string> => new Set(words.split(' ').map((word) => wordCharacter(word) ?? ''));
const prefixes = characters('not of trimmed');
/** The first words of `count of` and its like. */
const beginnings = characters('count sum first last uppercase lowercase number text');

/** Index of the token with which a line has too many prefixes before one value; -1 where it has not. */
export function tooManyPrefixes(shape: string): number {
  if (shape.length <= MOST_PREFIXES) return -1;
  /** Before the brackets that are open, and since. */
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
