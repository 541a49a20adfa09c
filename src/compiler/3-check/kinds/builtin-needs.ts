// What the operands of each built-in value and operation must be, in the order of the file.
import type { BuiltinName } from '../../vocabulary/builtin-names.js';
import { aList, aNumber, aRecord, aText, type Need } from './require-kind.js';

/** `date` is checked by its own rule; `clock` is a date with a clock time. */
export type OperandNeed = Need | 'date' | 'clock' | undefined;

const shown: Need = { kinds: ['text', 'number', 'boolean'], words: 'a text' };
/** Text to parse: a cell that contains only digits is a number. */
const written: Need = { kinds: ['text', 'number'], words: 'a text' };

export const builtinNeeds: Readonly<Record<BuiltinName, readonly OperandNeed[]>> = {
  'count of': [{ kinds: ['list', 'text'], words: 'a list or a text', allowsEmpty: true }],
  'sum of': [aList],
  'first of': [aList],
  'last of': [aList],
  'highest of': [aList],
  'lowest of': [aList],
  'average of': [aList],
  'unique of': [aList],
  'fields of': [aRecord],
  'uppercase of': [aText],
  'lowercase of': [aText],
  trimmed: [aText],
  reversed: [aList],
  'absolute value of': [aNumber],
  'weekday of': ['date'],
  'day of': ['date'],
  'week of': ['date'],
  'month of': ['date'],
  'year of': ['date'],
  'hour of': ['clock'],
  'minute of': ['clock'],
  'date of': ['date'],
  'text of': [undefined],
  'number of': [{ kinds: ['text', 'number'], words: 'a text' }],
  'start of week': ['date'],
  'start of month': ['date'],
  'start of quarter': ['date'],
  'start of year': ['date'],
  'end of week': ['date'],
  'end of month': ['date'],
  'end of quarter': ['date'],
  'end of year': ['date'],
  'date of written as': [written, shown],
  'time of written as': [written, shown],
  'text of written as': [undefined, shown],
  'number of written as': [written, shown],
  'first items of': [aNumber, aList],
  'last items of': [aNumber, aList],
  'first characters of': [aNumber, aText],
  'last characters of': [aNumber, aText],
  'characters of': [aNumber, aNumber, aText],
  'position of': [undefined, aList],
  'remainder of': [aNumber, aNumber],
  'percent of': [aNumber, aNumber],
  'split by': [aText, shown],
  'joined with': [aList, shown],
  'replaced by': [aText, shown, shown],
  'padded to': [{ ...shown, allowsEmpty: true }, aNumber, shown],
};
