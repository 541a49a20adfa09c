// Reports an operand that certainly doesn't have the kind that its operation needs, so that the run would fail on this line.
import type { Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { writtenField } from '../../vocabulary/field-names.js';
import type { Checker } from '../checker.js';
import { fieldKind, type Kind, kindName, operandWords } from './kind.js';

type Known = Exclude<Kind, { is: 'unknown' }>;

/** A requirement of an operation, with its words in a sentence. */
export interface Need {
  readonly kinds: readonly Known['is'][];
  readonly words: string;
  /** `empty` is also fine. */
  readonly allowsEmpty?: boolean;
  /** The way out, if the operation knows a better one than the kinds tell. */
  readonly hint?: string | undefined;
}

export const aNumber: Need = { kinds: ['number'], words: 'numbers' };
export const aText: Need = { kinds: ['text'], words: 'a text', allowsEmpty: true };
export const aRecord: Need = { kinds: ['record'], words: 'a record', allowsEmpty: true };
export const aList: Need = { kinds: ['list'], words: 'a list', allowsEmpty: true };

/** Whether every value of this kind fails. A value that may be `empty` only fails if `empty` does, too. */
export function isCertainlyWrong(kind: Kind, { kinds, allowsEmpty = false }: Need): kind is Known {
  if (kind.is === 'unknown') return false;
  if (kind.is === 'empty') return !allowsEmpty;
  return !kinds.includes(kind.is) && !(kind.orEmpty === true && allowsEmpty);
}

/**
 * Reports it and returns true if the operand is certainly wrong.
 * @param word the keyword that needs the kind
 */
export function requireKind(checker: Checker, expression: Expression, kind: Kind, word: string, need: Need): boolean {
  if (!isCertainlyWrong(kind, need)) return false;
  const what = operandWords(checker.text, expression, kind);
  checker.report(
    catalogue.wrongKind(expression.span, what, word, need.words, need.hint ?? hintFor(checker, expression, kind, need)),
  );
  return true;
}

/** Something to go through: a list or nothing. A row that `get` may have found is never a list. Returns whether it reported one. */
export function requireList(checker: Checker, expression: Expression, kind: Kind, word: string): boolean {
  const row = kind.is === 'record' ? kind.rowOf : undefined;
  if (row === undefined) return requireKind(checker, expression, kind, word, aList);
  const what = `${operandWords(checker.text, expression, kind)}, the single row that "get" finds`;
  checker.report(
    catalogue.wrongKind(expression.span, what, word, 'a list', `To get all rows, start the call with list:\n    ${row}`),
  );
  return true;
}

/** The fix, if there is an obvious one. */
function hintFor({ text }: Checker, expression: Expression, kind: Known, need: Need): string | undefined {
  const written = text.slice(expression.span.start, expression.span.end);
  if (written.length > 60) return undefined;
  if (need === aNumber && kind.is === 'text') {
    if (kind.form !== undefined) return 'To calculate with dates, say which unit you mean:\n    today plus 30 days';
    if (kind.value === undefined) return `If there is a number in the text, write:\n    number of ${written}`;
    return /^\s*-?\d+(\.\d+)?\s*$/.test(kind.value) ? `Write the number without quotes:\n    ${kind.value.trim()}` : undefined;
  }
  if (need === aText && (kind.is === 'number' || kind.is === 'boolean') && !/^[\d-]/.test(written))
    return `To use it as a text, write:\n    text of ${written}`;
  return undefined;
}

/** Returns whether it did. @param what starts a sentence: `The number of rounds` */
export function requireCount(
  checker: Checker,
  { span }: Expression,
  kind: Kind,
  what: string,
  [least, most]: readonly [least: number, most?: number],
): boolean {
  if (kind.is !== 'number' || kind.value === undefined) return false;
  if (Number.isInteger(kind.value) && kind.value >= least && (most === undefined || kind.value <= most)) return false;
  checker.report(most === undefined ? catalogue.tooSmallCount(span, what, least) : catalogue.outOfRange(span, what, least, most));
  return true;
}

/**
 * Reports the first such item and returns true. Skips what may be empty.
 * @param path of the field that is compared; empty for the items themselves
 * @param word the keyword that compares them
 * @param skipsEmpty whether empty items don't count
 */
export function requireOrder(
  checker: Checker,
  list: Expression,
  path: readonly string[],
  word: string,
  skipsEmpty: boolean,
): boolean {
  if (list.kind === 'group') return requireOrder(checker, list.inner, path, word, skipsEmpty);
  if (list.kind !== 'list') return false;
  let first: Kind | undefined;
  for (const item of list.items) {
    const kind = path.reduce(fieldKind, checker.kindOf(item));
    if (kind.is === 'unknown' || ('orEmpty' in kind && kind.orEmpty === true) || (kind.is === 'empty' && skipsEmpty)) continue;
    const what =
      path.length === 0
        ? operandWords(checker.text, item, kind)
        : `"${path.map(writtenField).join('.')}" of this item is ${kindName(kind)}`;
    const needs =
      kind.is !== 'number' && kind.is !== 'text'
        ? 'numbers or texts'
        : first !== undefined && first.is !== kind.is
          ? `${kindName(first)}, as in the items before it`
          : undefined;
    if (needs !== undefined) {
      checker.report(catalogue.wrongKind(item.span, what, word, needs, undefined));
      return true;
    }
    first ??= kind;
  }
  return false;
}
