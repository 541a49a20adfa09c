// The kind of each built-in value and operation, given the kinds of its operands.
import type { BuiltinName } from '../../vocabulary/builtin-names.js';
import {
  dateKind,
  itemKind,
  type Kind,
  listOfKind,
  numberKind,
  orEmpty,
  textKind,
  timeKind,
  unknownKind,
  wholeKind,
  withoutValue,
} from './kind.js';

type Gives = (operands: readonly Kind[]) => Kind;

const number: Gives = () => numberKind;
const whole: Gives = () => wholeKind;
const numberOrEmpty: Gives = () => orEmpty(numberKind);
const text: Gives = () => textKind;
const texts: Gives = () => listOfKind(textKind);
const date: Gives = () => dateKind;
/** A missing text stays missing. @param at index of the operand that is changed */
const changedText =
  (at = 0): Gives =>
  (operands) => {
    const of = operands[at];
    return of?.is === 'text' && of.orEmpty !== true ? textKind : orEmpty(textKind);
  };
/** One item of a list, if there is any. */
const anItem: Gives = ([list]) => (list === undefined ? unknownKind : orEmpty(withoutValue(itemKind(list))));
/** Some of the items of a list. @param at index of the list operand */
const someItems =
  (at = 0): Gives =>
  (operands) => {
    const list = operands[at];
    return listOfKind(list === undefined ? unknownKind : withoutValue(itemKind(list)));
  };

const gives: Readonly<Record<BuiltinName, Gives>> = {
  'count of': whole,
  'sum of': number,
  'first of': anItem,
  'last of': anItem,
  'highest of': anItem,
  'lowest of': anItem,
  'average of': numberOrEmpty,
  'unique of': someItems(),
  'fields of': texts,
  'uppercase of': changedText(),
  'lowercase of': changedText(),
  trimmed: changedText(),
  reversed: someItems(),
  'absolute value of': number,
  'weekday of': text,
  'day of': whole,
  'week of': whole,
  'month of': whole,
  'year of': whole,
  'hour of': whole,
  'minute of': whole,
  'date of': date,
  'text of': text,
  'number of': number,
  'start of week': date,
  'start of month': date,
  'start of quarter': date,
  'start of year': date,
  'end of week': date,
  'end of month': date,
  'end of quarter': date,
  'end of year': date,
  'date of written as': date,
  'time of written as': () => timeKind,
  'text of written as': text,
  'number of written as': number,
  'first items of': someItems(1),
  'last items of': someItems(1),
  'first characters of': changedText(1),
  'last characters of': changedText(1),
  'characters of': changedText(2),
  'position of': numberOrEmpty,
  'remainder of': number,
  'percent of': number,
  'split by': ([of]) => (of?.is === 'text' && of.orEmpty !== true ? listOfKind(textKind) : orEmpty(listOfKind(textKind))),
  'joined with': text,
  'replaced by': changedText(),
  'padded to': ([of]) => (of?.is === 'number' || (of?.is === 'text' && of.orEmpty !== true) ? textKind : orEmpty(textKind)),
};

export const builtinKind = (name: BuiltinName, operands: readonly Kind[]): Kind => gives[name](operands);
