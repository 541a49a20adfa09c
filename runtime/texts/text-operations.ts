// `split by`, `joined with`, `with … replaced by …`, `padded to … with …`, and parts of a text: `first 3 characters of`, `last 3 characters
// of`, `characters 2 to 5 of`. A character is a code point.
import type { Steps } from '../in-turns.js';
import { countFor, listOf } from '../lists/list-operand.js';
import type { SourceLocation, Value } from '../types.js';
import type { WfError } from '../values/errors.js';
import { characterCount } from '../values/fields.js';
import { tooLarge } from '../values/value-errors.js';
import { show } from '../values/values.js';
import { work, workload, workOnText } from '../workload.js';
import { givenText, nothingToPadWith, nothingToReplace, subjectText } from './text-operand.js';

/** Slightly below the engine's own limit. */
const longestText = 500_000_000;

/**
 * `text split by separator`: a list of texts; with an empty separator, the characters. `empty` stays `empty`. @throws WfError if it is not
 * text
 */
export function split(value: Value, separator: Value, location?: SourceLocation): Value {
  const text = subjectText('split by', value, location);
  const by = givenText('split by', separator, location, 4, 'the separator');
  if (text === undefined) return null;
  // There may be a part for each character.
  work(text.length);
  return by === '' ? Array.from(text) : text.split(by);
}

/** Characters or parts between two looks at the clock. */
const inOneTurn = 8_192;

/** As `split`, in turns. */
export function* splitSteps(value: Value, separator: Value, location?: SourceLocation): Steps<Value> {
  const text = subjectText('split by', value, location);
  const by = givenText('split by', separator, location, 4, 'the separator');
  if (text === undefined) return null;
  const parts: string[] = [];
  if (by === '') {
    for (const character of text) if (parts.push(character) % inOneTurn === 0) yield;
    return parts;
  }
  let from = 0;
  for (let at = text.indexOf(by); at !== -1; at = text.indexOf(by, from)) {
    if (parts.push(text.slice(from, at)) % inOneTurn === 0) yield;
    from = at + by.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** `list joined with separator`: each item as shown, and `""` for `empty`. @throws WfError if it is not a list */
export function joined(value: Value, separator: Value, location?: SourceLocation): string {
  const list = listOf('joined with', value, location);
  const between = givenText('joined with', separator, location, 4, 'the separator');
  const texts = list.map(show);
  const length = texts.reduce((sum, text) => sum + text.length + between.length, 0);
  if (length > longestText) throw tooLong(location);
  workOnText(length);
  return texts.join(between);
}

const tooLong = (location: SourceLocation | undefined): WfError => tooLarge('text of more than 500,000,000 characters', location);

/** As `joined`, in turns. */
export function* joinedSteps(value: Value, separator: Value, location?: SourceLocation): Steps<string> {
  const list = listOf('joined with', value, location);
  const between = givenText('joined with', separator, location, 4, 'the separator');
  const text = new GrowingText(location);
  for (let index = 0; index < list.length; index++) {
    text.add(index === 0 ? '' : between);
    text.add(show(list[index]));
    if (index % inOneTurn === 0 || workload.isDue) yield;
  }
  return text.whole;
}

/** Text made of many parts. Chunks keep the engine from following a million references at the end. */
class GrowingText {
  readonly #location: SourceLocation | undefined;
  readonly #chunks: string[] = [];
  #parts: string[] = [];
  #length = 0;

  constructor(location: SourceLocation | undefined) {
    this.#location = location;
  }

  /** @throws WfError if the text becomes too long */
  add(part: string): void {
    this.#length += part.length;
    if (this.#length > longestText) throw tooLong(this.#location);
    workOnText(part.length);
    if (this.#parts.push(part) < inOneTurn) return;
    this.#chunks.push(this.#parts.join(''));
    this.#parts = [];
  }

  get whole(): string {
    return [...this.#chunks, ...this.#parts].join('');
  }
}

/** `text with sought replaced by replacement`: every occurrence. `empty` stays `empty`. @throws WfError if one of them is not text */
export function replaced(value: Value, sought: Value, replacement: Value, location?: SourceLocation): Value {
  const { text, old, fresh } = textsToReplace(value, sought, replacement, location);
  if (text === undefined) return null;
  // There may be a part for each character.
  work(text.length);
  const parts = text.split(old);
  const length = text.length + (parts.length - 1) * (fresh.length - old.length);
  if (length > longestText) throw tooLong(location);
  workOnText(length);
  return parts.join(fresh);
}

/** As `replaced`, in turns. */
export function* replacedSteps(value: Value, sought: Value, replacement: Value, location?: SourceLocation): Steps<Value> {
  const { text, old, fresh } = textsToReplace(value, sought, replacement, location);
  if (text === undefined) return null;
  const made = new GrowingText(location);
  let from = 0;
  let count = 0;
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, from)) {
    made.add(text.slice(from, at));
    made.add(fresh);
    from = at + old.length;
    if (++count % inOneTurn === 0 || workload.isDue) yield;
  }
  made.add(text.slice(from));
  return made.whole;
}

interface TextsToReplace {
  readonly text: string | undefined;
  readonly old: string;
  readonly fresh: string;
}

function textsToReplace(value: Value, sought: Value, replacement: Value, location: SourceLocation | undefined): TextsToReplace {
  const text = subjectText('replaced by', value, location);
  const old = givenText('replaced by', sought, location, 4, 'the text to replace');
  const fresh = givenText('replaced by', replacement, location, 5, 'the replacement');
  if (old === '') throw nothingToReplace(location);
  return { text, old, fresh };
}

/** Maximum length of a padded text. */
const longestPadded = 1_000_000;

/**
 * `value padded to N with text`: pads on the left to N characters. A number or boolean counts as shown, and `empty` stays `empty`.
 * @throws WfError for a list or record, and for an N that is not a whole number up to 1,000,000
 */
export function padded(value: Value, count: Value, filler: Value, location?: SourceLocation): Value {
  const text = typeof value === 'number' || typeof value === 'boolean' ? show(value) : subjectText('padded to', value, location);
  const length = countFor('characters', count, 0, location, 4);
  if (length > longestPadded) throw tooLarge('text that is padded to more than 1,000,000 characters', location);
  const fill = givenText('padded to', filler, location, 5, 'the text to pad with');
  if (fill === '') throw nothingToPadWith(location);
  if (text === undefined) return null;
  workOnText(length);
  const missing = length - characterCount(text);
  if (missing <= 0) return text;
  // No more of a long one than is needed.
  const characters = Array.from(fill.slice(0, 2 * missing));
  if (characters.length >= missing) return characters.slice(0, missing).join('') + text;
  return fill.repeat(Math.floor(missing / characters.length)) + characters.slice(0, missing % characters.length).join('') + text;
}

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
