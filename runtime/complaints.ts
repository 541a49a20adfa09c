// The catalogue of the language's run-time errors: operands and their source texts go in, a `WfError` in plain words comes out.
// Its own file, so that every message can be read, and compared with the others, in one place.
import { WfError } from './errors.js';
import { numberIn, numberText } from './tidy.js';
import { typeName } from './type-name.js';
import type { Place, Value } from './types.js';

/** Texts up to this many UTF-16 units are quoted in a message. */
const longestQuote = 60;

/**
 * How a message says what a value is: `is a text ("ten")`. A long text is described, not cut: the beginning of a secret would
 * slip past the redaction, which looks for whole secrets.
 */
function what(value: Value): string {
  if (value === null || value === undefined) return 'is empty';
  if (typeof value === 'string') {
    return value.length <= longestQuote ? `is a text (${JSON.stringify(value)})` : `is a text of ${value.length} characters`;
  }
  if (typeof value === 'number') return `is a number (${numberText(value)})`;
  if (typeof value === 'boolean') return `is a boolean (${value})`;
  if (!Array.isArray(value)) return 'is a record';
  return value.length === 1 ? 'is a list of 1 item' : `is a list of ${value.length} items`;
}

const isLiteral = (source: string): boolean => /^("|\[|-?\d|(true|false|empty)$)/.test(source);

/** What an operand is called: its source text, quoted where it is a name; its role where the text is not known. */
function named(source: string | undefined, role: string): string {
  if (source === undefined || source === '') return role;
  const short = source.length > longestQuote ? `${source.slice(0, longestQuote).trimEnd()}…` : source;
  return isLiteral(source) ? short : `"${short}"`;
}

function operand(value: Value, source: string | undefined, role: string): string {
  if (source !== undefined && isLiteral(source) && source !== 'empty') return `${named(source, role)} is a ${typeName(value)}`;
  return `${named(source, role)} ${what(value)}`;
}

const looksLikeNumber = (value: Value): boolean => typeof value === 'string' && numberIn(value) !== undefined;

/** The way out, where a text holds a number. */
function numberHint(value: Value, source: string | undefined): string {
  if (!looksLikeNumber(value) || source === undefined || source === '' || source.length > longestQuote) return '';
  return isLiteral(source) ? ' Write the number without quotes.' : ` To use the number in it, write: number of ${source}.`;
}

/** The way out, where a number or boolean stands where a text is needed. */
function textHint(value: Value, source: string | undefined): string {
  if ((typeof value !== 'number' && typeof value !== 'boolean') || source === undefined || isLiteral(source)) return '';
  return ` To use it as text, write: text of ${source}.`;
}

/** `verb` is what could not be done, `word` the word of the language that asked for it. */
export function notANumber(verb: string, word: string, left: Value, right: Value, place: Place | undefined): WfError {
  const atLeft = typeof left !== 'number';
  const value = atLeft ? left : right;
  const source = atLeft ? place?.[3] : place?.[4];
  const fault = operand(value, source, `the value ${atLeft ? 'before' : 'after'} "${word}"`);
  return new WfError('WF601', `I can't ${verb}: ${fault}, and "${word}" needs two numbers.${numberHint(value, source)}`, place);
}

export function cannotRound(value: Value, place: Place | undefined): WfError {
  const fault = operand(value, place?.[3], 'the value before "rounded to"');
  return new WfError('WF601', `I can't round: ${fault}, and "rounded to" needs a number.${numberHint(value, place?.[3])}`, place);
}

export function cannotAdd(left: Value, right: Value, place: Place | undefined): WfError {
  const sides = `${operand(left, place?.[3], 'the value before "plus"')} and ${operand(right, place?.[4], 'the value after "plus"')}`;
  const oneIsText = typeof left === 'string' || typeof right === 'string';
  const oneIsEmpty = typeName(left) === 'empty' || typeName(right) === 'empty';
  const hint = oneIsText && oneIsEmpty ? ' Inside quoted text, {name} shows an empty value as nothing.' : '';
  const rule = '"plus" needs two numbers, two lists, or a text with a text, number or boolean';
  return new WfError('WF602', `I can't add: ${sides}; ${rule}.${hint}`, place);
}

export function divisionByZero(place: Place | undefined): WfError {
  const divisor = place?.[4];
  const why = divisor === undefined || isLiteral(divisor) ? '' : `: ${named(divisor, '')} is 0`;
  return new WfError('WF603', `I can't divide ${named(place?.[3], 'a number')} by zero${why}.`, place);
}

/** `word` is the operator as written. */
export function notFinite(word: string, place: Place | undefined): WfError {
  const sum = `${named(place?.[3], 'the first number')} ${word} ${named(place?.[4], 'the second number')}`;
  return new WfError('WF604', `The result of ${sum} is too large: a number holds up to about 1.8e308.`, place);
}

export function sumNotFinite(place: Place | undefined): WfError {
  return new WfError(
    'WF604',
    `The sum of ${named(place?.[3], 'the list')} is too large: a number holds up to about 1.8e308.`,
    place,
  );
}

export function wrongPlaces(places: Value, place: Place | undefined): WfError {
  const fault = operand(places, place?.[4], 'the number of places');
  return new WfError('WF605', `I can't round: ${fault}, and the number of places is a whole number from 0 to 15.`, place);
}

/** `word` is the comparison as written, e.g. `is above`. */
export function noOrder(word: string, left: Value, right: Value, place: Place | undefined, rightText: 4 | 5): WfError {
  const ordered = (value: Value): boolean => typeof value === 'number' || typeof value === 'string';
  const leftSource = place?.[3];
  const rightSource = place?.[rightText];
  const sides: string[] = [];
  if (!ordered(left) || ordered(right)) sides.push(operand(left, leftSource, `the value before "${word}"`));
  if (!ordered(right) || ordered(left)) sides.push(operand(right, rightSource, `the value after "${word}"`));
  const hint =
    typeof right === 'number' ? numberHint(left, leftSource) : typeof left === 'number' ? numberHint(right, rightSource) : '';
  return new WfError('WF606', `I can't compare: ${sides.join(' and ')}; "${word}" needs two numbers or two texts.${hint}`, place);
}

export function cannotContain(value: Value, place: Place | undefined): WfError {
  const fault = operand(value, place?.[3], 'the value before "contains"');
  return new WfError(
    'WF607',
    `I can't look inside: ${fault}, and "contains" needs a text, a list or a record.${textHint(value, place?.[3])}`,
    place,
  );
}

/** A list or record was looked for in a text, or as the key of a record. */
export function cannotBeIn(sought: Value, container: 'text' | 'record', place: Place | undefined): WfError {
  const fault = operand(sought, place?.[4], 'the value after "contains"');
  const rule = container === 'text' ? 'a text contains only text' : 'a record is searched for the name of a field';
  return new WfError('WF607', `I can't look for that: ${fault}, and ${rule}.`, place);
}

export function notATextToMatch(word: string, value: Value, source: string | undefined, place: Place | undefined): WfError {
  const fault = operand(value, source, 'the value');
  return new WfError('WF608', `I can't compare: ${fault}, and "${word}" needs two texts.${textHint(value, source)}`, place);
}

export function notAListToChooseFrom(value: Value, place: Place | undefined): WfError {
  return new WfError(
    'WF609',
    `I can't choose: ${operand(value, place?.[4], 'the value after "is one of"')}, and "is one of" needs a list.`,
    place,
  );
}

export function notAListToLoop(value: Value, place: Place | undefined): WfError {
  return new WfError(
    'WF610',
    `I can't go through it: ${operand(value, place?.[3], 'the value after "in"')}, and "for each" needs a list.`,
    place,
  );
}

export function notAListToAddTo(value: Value, place: Place | undefined): WfError {
  return new WfError('WF611', `I can't add to it: ${operand(value, place?.[3], 'the variable')}, and "add" needs a list.`, place);
}

export function noFields(value: Value, key: string, source: string | undefined, place: Place | undefined): WfError {
  const fault = operand(value, source, 'the value');
  return new WfError('WF612', `I can't read "${key}": ${fault}, and only records and lists have fields.`, place);
}

export function cannotSetField(value: Value, key: string, source: string | undefined, place: Place | undefined): WfError {
  const fault = operand(value, source, 'the variable');
  return new WfError('WF613', `I can't set "${key}": ${fault}, and only a record has fields to set.`, place);
}

export function notCountable(value: Value, place: Place | undefined): WfError {
  return new WfError(
    'WF614',
    `I can't count it: ${operand(value, place?.[3], 'the value')}, and "count of" needs a list or a text.`,
    place,
  );
}

export function notAListToSum(value: Value, place: Place | undefined): WfError {
  return new WfError(
    'WF615',
    `I can't add it up: ${operand(value, place?.[3], 'the value')}, and "sum of" needs a list of numbers.`,
    place,
  );
}

/** `index` counts from 0, as `a.0` does in the language. */
export function notSummable(item: Value, index: number, place: Place | undefined): WfError {
  const list = named(place?.[3], 'the list');
  return new WfError(
    'WF615',
    `I can't add up ${list}: item ${index} ${what(item)}, and "sum of" needs numbers. (Items count from 0.)`,
    place,
  );
}

export function notAListToTakeFrom(word: string, value: Value, place: Place | undefined): WfError {
  return new WfError(
    'WF616',
    `I can't take an item: ${operand(value, place?.[3], 'the value')}, and "${word}" needs a list.`,
    place,
  );
}

export function notAText(word: string, value: Value, place: Place | undefined): WfError {
  const fault = operand(value, place?.[3], 'the value');
  return new WfError('WF617', `I can't apply "${word}": ${fault}, and a text is needed.${textHint(value, place?.[3])}`, place);
}

export function noNumberIn(value: Value, place: Place | undefined): WfError {
  return new WfError(
    'WF618',
    `I can't read a number: ${operand(value, place?.[3], 'the value')}, and "number of" needs a text such as "1200.50".`,
    place,
  );
}

/** `most` is in levels. */
export function tooDeep(most: number, place?: Place): WfError {
  return new WfError(
    'WF619',
    `A value is nested too deep: lists and records can stand at most ${most} levels inside each other here.`,
    place,
  );
}

/** `thing` names it and its limit, e.g. `a text of more than 500,000,000 characters`. */
export function tooLarge(thing: string, place?: Place): WfError {
  return new WfError('WF620', `A value is too large: ${thing} is more than I can hold.`, place);
}

export function unreadable(reason: string): WfError {
  return new WfError('WF621', `I can't read a value that came from outside the workflow: ${reason}.`);
}
