// `code is like "INV-####-@@*"`: `#` matches a digit, `@` a letter, `?` any character, `*` any number of them, and anything else itself.
import { atOnce, type Steps } from '../in-turns.js';
import type { SourceLocation, Value } from '../types.js';
import { notATextToMatch } from '../values/value-errors.js';
import { work } from '../workload.js';
import { patternTooLong } from './text-operand.js';

/** Limits the time of a match, which grows with the product of both lengths. Handwritten patterns are shorter. */
const longestPattern = 1_000;

/** False for `empty`. @throws WfError if one of them is not text, and for a pattern of more than 1,000 characters */
export function isLike(value: Value, pattern: Value, location?: SourceLocation): boolean {
  const { text, like } = textsToMatch(value, pattern, location);
  if (text === undefined) return false;
  // A star may try each place again.
  work(like.indexOf('*') === -1 ? Math.min(text.length, like.length) : text.length * Math.ceil(like.length / 8));
  return fitsPattern(text, like);
}

/** As `isLike`, in turns. */
export function* isLikeSteps(value: Value, pattern: Value, location?: SourceLocation): Steps<boolean> {
  const { text, like } = textsToMatch(value, pattern, location);
  return text !== undefined && (yield* fits(text, like));
}

function textsToMatch(
  value: Value,
  pattern: Value,
  location: SourceLocation | undefined,
): { readonly text: string | undefined; readonly like: string } {
  if (typeof value !== 'string' && value !== null && value !== undefined)
    throw notATextToMatch('is like', value, location?.[3], location);
  if (typeof pattern !== 'string') throw notATextToMatch('is like', pattern, location?.[4], location);
  if (pattern.length > longestPattern) throw patternTooLong(longestPattern, location);
  return { text: value ?? undefined, like: pattern };
}

/** Whether all of the text fits. */
export const fitsPattern = (text: string, pattern: string): boolean => atOnce(fits(text, pattern));

/** Characters that are compared between two looks at the clock. */
const inOneTurn = 50_000;

/** Backtracks to the last star only. Everything before it is settled, so the time stays within the product of both lengths. */
function* fits(text: string, pattern: string): Steps<boolean> {
  let at = 0;
  let part = 0;
  let star = -1;
  let left = inOneTurn;
  /** Where the match resumes if the last star takes one more character. */
  let retry = 0;
  while (at < text.length) {
    if (--left === 0) {
      yield;
      left = inOneTurn;
    }
    const wanted = part < pattern.length ? codeAt(pattern, part) : -1;
    const code = codeAt(text, at);
    if (wanted === STAR) {
      star = part++;
      retry = at;
    } else if (wanted !== -1 && matches(code, wanted)) {
      at += widthOf(code);
      part += widthOf(wanted);
    } else if (star !== -1) {
      retry += widthOf(codeAt(text, retry));
      at = retry;
      part = star + 1;
    } else return false;
  }
  while (part < pattern.length && codeAt(pattern, part) === STAR) part++;
  return part === pattern.length;
}

const [STAR, QUESTION, DIGIT, LETTER] = [0x2a, 0x3f, 0x23, 0x40];

const codeAt = (text: string, at: number): number => text.codePointAt(at) ?? -1;
const widthOf = (code: number): number => (code > 0xffff ? 2 : 1);

function matches(code: number, wanted: number): boolean {
  if (wanted === QUESTION) return true;
  if (wanted === DIGIT) return code >= 0x30 && code <= 0x39;
  return wanted === LETTER ? isLetter(code) : code === wanted;
}

function isLetter(code: number): boolean {
  if (code < 128) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return letterPattern().test(String.fromCodePoint(code));
}

let letters: RegExp | undefined;
/** Compiled lazily: Unicode classes take V8 a millisecond. */
function letterPattern(): RegExp {
  letters ??= /^\p{L}$/u;
  return letters;
}
