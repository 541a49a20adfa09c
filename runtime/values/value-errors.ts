// Run-time errors of the language, in plain words. Each function takes the operands and their source text, and returns a `WfError`.
import type { SourceLocation, Value } from '../values/value-types.js';
import { privatePart, WfError } from './errors.js';
import { isLiteral, named, numberHint, operandText, textHint, what } from './operand-text.js';

/** @param verb what failed: `multiply` @param word the keyword that asked for it: `times` */
export function notANumber(verb: string, word: string, left: Value, right: Value, location: SourceLocation | undefined): WfError {
  const atLeft = typeof left !== 'number';
  const value = atLeft ? left : right;
  const source = atLeft ? location?.[3] : location?.[4];
  const fault = operandText(value, source, `the value ${atLeft ? 'before' : 'after'} "${word}"`);
  return new WfError(
    'WF601',
    `I can't ${verb}: ${fault}, but "${word}" needs two numbers.${numberHint(value, source)}`,
    location,
  );
}

/** @param word the operation as written */
export function cannotRound(value: Value, location: SourceLocation | undefined, word = 'rounded to'): WfError {
  const fault = operandText(value, location?.[3], `the value before "${word}"`);
  return new WfError(
    'WF601',
    `I can't round: ${fault}, but "${word}" needs a number.${numberHint(value, location?.[3])}`,
    location,
  );
}

export function cannotAdd(left: Value, right: Value, location: SourceLocation | undefined): WfError {
  const [one, other] = [location?.[3], location?.[4]];
  const sides = `${operandText(left, one, 'the value before "plus"')} and ${operandText(right, other, 'the value after "plus"')}`;
  const text = typeof left === 'string' ? left : typeof right === 'string' ? right : undefined;
  const hint = text === undefined ? '' : ` ${joinHint(one, other)}${numberHint(text, text === left ? one : other)}`;
  return new WfError('WF602', `I can't add: ${sides}, but "plus" needs two numbers or two lists.${hint}`, location);
}

/** Says how to join texts; with the operands themselves if both are names. */
function joinHint(left: string | undefined, right: string | undefined): string {
  const isName = (source: string | undefined): boolean =>
    source !== undefined && source.length <= 40 && /^[\p{L}_][\w.-]*$/u.test(source);
  return `To join texts, write: "${isName(left) && isName(right) ? `{${left}}{${right}}` : '{first}{second}'}".`;
}

export function divisionByZero(location: SourceLocation | undefined): WfError {
  const divisor = location?.[4];
  const why = divisor === undefined || isLiteral(divisor) ? '' : `: ${named(divisor, '')} is 0`;
  return new WfError('WF603', `I can't divide ${named(location?.[3], 'a number')} by zero${why}.`, location);
}

/** @param word the operator as written */
export function notFinite(word: string, location: SourceLocation | undefined): WfError {
  const sum = `${named(location?.[3], 'the first number')} ${word} ${named(location?.[4], 'the second number')}`;
  return new WfError('WF604', `The result of ${sum} is too large: the largest number is about 1.8e308.`, location);
}

export function sumNotFinite(location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF604',
    `The sum of ${named(location?.[3], 'the list')} is too large: the largest number is about 1.8e308.`,
    location,
  );
}

export function wrongPlaces(places: Value, location: SourceLocation | undefined): WfError {
  const fault = operandText(places, location?.[4], 'the number of places');
  return new WfError('WF605', `I can't round: ${fault}, but the number of places must be a whole number from 0 to 15.`, location);
}

/** @param word the comparison as written: `is above` */
export function noOrder(
  word: string,
  left: Value,
  right: Value,
  location: SourceLocation | undefined,
  rightText: 4 | 5,
): WfError {
  const ordered = (value: Value): boolean => typeof value === 'number' || typeof value === 'string';
  const leftSource = location?.[3];
  const rightSource = location?.[rightText];
  const sides: string[] = [];
  if (!ordered(left) || ordered(right)) sides.push(operandText(left, leftSource, `the value before "${word}"`));
  if (!ordered(right) || ordered(left)) sides.push(operandText(right, rightSource, `the value after "${word}"`));
  const number = typeof right === 'number' ? left : typeof left === 'number' ? right : undefined;
  const source = number === left ? leftSource : rightSource;
  const hint =
    Array.isArray(number) && source !== undefined && source !== ''
      ? ` To count its items, write: count of ${source}.`
      : numberHint(number, source);
  return new WfError(
    'WF606',
    `I can't compare: ${sides.join(' and ')}, but "${word}" needs two numbers or two text values.${hint}`,
    location,
  );
}

/** `9:00` and `17:30`: texts that only compare as times do if both have two digits for the hour. */
export function unequalClocks(
  word: string,
  left: string,
  right: string,
  location: SourceLocation | undefined,
  rightText: 4 | 5,
): WfError {
  const isLeft = left.length < right.length;
  const source = location?.[isLeft ? 3 : rightText];
  const fault = operandText(isLeft ? left : right, source, `the value ${isLeft ? 'before' : 'after'} "${word}"`);
  const way = source === undefined ? '' : `: ${source} padded to ${Math.max(left.length, right.length)} with "0"`;
  return new WfError(
    'WF606',
    `I can't compare: ${fault}, but the other time of day is longer. Write both alike${way}.`,
    location,
  );
}

export function cannotContain(value: Value, location: SourceLocation | undefined): WfError {
  const fault = operandText(value, location?.[3], 'the value before "contains"');
  return new WfError(
    'WF607',
    `I can't search: ${fault}, but "contains" needs text, a list or a record.${textHint(value, location?.[3])}`,
    location,
  );
}

/** The workflow looked for a list or record in text, or among the field names of a record. */
export function cannotBeIn(sought: Value, container: 'text' | 'record', location: SourceLocation | undefined): WfError {
  const fault = operandText(sought, location?.[4], 'the value after "contains"');
  const rule = container === 'text' ? 'text can only contain text' : '"contains" looks for field names in a record';
  return new WfError('WF607', `I can't search: ${fault}, but ${rule}.`, location);
}

export function notATextToMatch(
  word: string,
  value: Value,
  source: string | undefined,
  location: SourceLocation | undefined,
): WfError {
  const fault = operandText(value, source, 'the value');
  return new WfError(
    'WF608',
    `I can't compare: ${fault}, but "${word}" needs two text values.${textHint(value, source)}`,
    location,
  );
}

/** A condition that is only a text such as "no". */
export function textThatSaysNo(value: string, location: SourceLocation | undefined): WfError {
  const fault = operandText(value, location?.[3], 'the condition');
  const message = `I can't tell whether this is true: ${fault}. Compare it (is "yes"), or declare it as yes or no under inputs.`;
  return new WfError('WF649', message, location);
}

export function notAListToChooseFrom(value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF609',
    `I can't compare: ${operandText(value, location?.[4], 'the value after "is one of"')}, but "is one of" needs a list.`,
    location,
  );
}

export function notAListToLoop(value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF610',
    `I can't loop: ${operandText(value, location?.[3], 'the value after "in"')}, but "for each" needs a list.`,
    location,
  );
}

export function notARecordToLoop(value: Value, location: SourceLocation | undefined): WfError {
  const fault = operandText(value, location?.[3], 'the value after "in"');
  return new WfError('WF637', `I can't loop: ${fault}, but a loop over names and values needs a record.`, location);
}

export function notAListToAddTo(value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF611',
    `I can't add an item: ${operandText(value, location?.[3], 'the variable')}, but "add" needs a list.`,
    location,
  );
}

export function noFields(value: Value, key: string, source: string | undefined, location: SourceLocation | undefined): WfError {
  const fault = operandText(value, source, 'the value');
  return new WfError('WF612', `I can't read "${key}": ${fault}, but only records and lists have fields.`, location);
}

export function cannotSetField(
  value: Value,
  key: string,
  source: string | undefined,
  location: SourceLocation | undefined,
): WfError {
  const fault = operandText(value, source, 'the variable');
  return new WfError('WF613', `I can't set "${key}": ${fault}, but only a record has fields to set.`, location);
}

export function notCountable(value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF614',
    `I can't count: ${operandText(value, location?.[3], 'the value')}, but "count of" needs a list or text.`,
    location,
  );
}

export function notAListToSum(value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF615',
    `I can't add it up: ${operandText(value, location?.[3], 'the value')}, but "sum of" needs a list of numbers.`,
    location,
  );
}

/** @param index counts from 0, like `a.0` in the language */
export function notSummable(item: Value, index: number, location: SourceLocation | undefined): WfError {
  const list = named(location?.[3], 'the list');
  return new WfError(
    'WF615',
    `I can't add up ${list}: item ${index} ${what(item)}, but "sum of" needs numbers. (Positions count from 0.)`,
    location,
  );
}

export function notAListToTakeFrom(word: string, value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF616',
    `I can't take an item: ${operandText(value, location?.[3], 'the value')}, but "${word}" needs a list.`,
    location,
  );
}

/** @param word the operation as written @param source text of the operand at fault */
export function notAText(
  word: string,
  value: Value,
  source: string | undefined,
  role: string,
  location: SourceLocation | undefined,
): WfError {
  const fault = operandText(value, source, role);
  return new WfError('WF617', `I can't apply "${word}": ${fault}, but it needs text.${textHint(value, source)}`, location);
}

export function noNumberIn(value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF618',
    `I can't read a number: ${operandText(value, location?.[3], 'the value')}, but "number of" needs text such as "1200.50".`,
    location,
  );
}

/** @param most in levels */
export function tooDeep(most: number, location?: SourceLocation): WfError {
  return new WfError(
    'WF619',
    `A value is nested too deeply: lists and records can be at most ${most} levels deep here.`,
    location,
  );
}

/** @param thing names the value and its limit: `text of more than 500,000,000 characters` */
export function tooLarge(thing: string, location?: SourceLocation): WfError {
  return new WfError('WF620', `A value is too large: I can't handle ${thing}.`, location);
}

/** @param thing that would have been made */
export function noMemory(thing: string, location?: SourceLocation): WfError {
  return new WfError('WF620', `A value is too large: there is no memory left for this ${thing}.`, location);
}

export function unreadable(reason: string): WfError {
  return new WfError('WF621', `I can't read a value from outside the workflow${privatePart(`: ${reason}`)}.`);
}
