// `split by`, `joined with`, `with … replaced by …`, `padded to … with …`.

import { countFor, listOf } from '../lists/list-operand.js';
import type { SourceLocation, Value } from '../types.js';
import { characterCount } from '../values/fields.js';
import { tooLarge } from '../values/value-errors.js';
import { show } from '../values/values.js';
import { work, workOnText } from '../workload.js';
import { nothingToPadWith, nothingToReplace } from './text-errors.js';
import { givenText, subjectText } from './text-operand.js';

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
  const parts = by === '' ? Array.from(text) : text.split(by);
  work(parts.length);
  return parts;
}

/** `list joined with separator`: each item as shown, and `""` for `empty`. @throws WfError if it is not a list */
export function joined(value: Value, separator: Value, location?: SourceLocation): string {
  const list = listOf('joined with', value, location);
  const between = givenText('joined with', separator, location, 4, 'the separator');
  const texts = list.map(show);
  const length = texts.reduce((sum, text) => sum + text.length + between.length, 0);
  if (length > longestText) throw tooLarge('text of more than 500,000,000 characters', location);
  workOnText(length);
  return texts.join(between);
}

/** `text with sought replaced by replacement`: every occurrence. `empty` stays `empty`. @throws WfError if one of them is not text */
export function replaced(value: Value, sought: Value, replacement: Value, location?: SourceLocation): Value {
  const text = subjectText('replaced by', value, location);
  const old = givenText('replaced by', sought, location, 4, 'the text to replace');
  const fresh = givenText('replaced by', replacement, location, 5, 'the replacement');
  if (old === '') throw nothingToReplace(location);
  if (text === undefined) return null;
  const parts = text.split(old);
  work(parts.length);
  if (text.length + (parts.length - 1) * (fresh.length - old.length) > longestText)
    throw tooLarge('text of more than 500,000,000 characters', location);
  return parts.join(fresh);
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
  const characters = Array.from(fill);
  return fill.repeat(Math.floor(missing / characters.length)) + characters.slice(0, missing % characters.length).join('') + text;
}
