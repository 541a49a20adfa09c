// `count of`, `sum of`, `uppercase of`, `sorted by` and so on. Operations that can never work are errors.

import type { Arranged, Builtin } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { writeLines } from '../../diagnostics/hint-marks.js';
import { type BuiltinName, readsFieldOfEach } from '../../vocabulary/builtin-names.js';
import { writtenField } from '../../vocabulary/field-names.js';
import type { Checker } from '../checker.js';
import { itemKind, type Kind, kindName, operandWords } from '../kinds/kind.js';
import { requireDate } from '../kinds/require-date.js';
import {
  aList,
  aNumber,
  aRecord,
  aText,
  type Need,
  requireCount,
  requireKind,
  requireList,
  requireOrder,
} from '../kinds/require-kind.js';
import { checkWrittenAs } from './written-as.js';

export function checkBuiltin(checker: Checker, builtin: Builtin): void {
  const { name, operands } = builtin;
  const [first] = operands;
  if (first !== undefined && readsFieldOfEach(name)) checker.ofEachItem.add(first);
  const kinds = operands.map((operand) => checker.expression(operand));
  const word = builtinWords[name] ?? name;
  if (first !== undefined && name === 'number of' && kinds[0]?.is === 'list') {
    const list = checker.text.slice(first.span.start, first.span.end);
    const what = operandWords(checker.text, first, kinds[0]);
    checker.report(catalogue.wrongKind(builtin.span, what, name, 'a text', writeLines(`count of ${list}`)));
    return;
  }
  for (const [index, operand] of operands.entries()) {
    const need = builtinNeeds[name][index];
    const kind = kinds[index];
    if (need === undefined || kind === undefined) continue;
    if (need === aList && kind.is === 'record' && kind.rowOf !== undefined) {
      requireList(checker, operand, kind, word);
      return;
    }
    const isWrong =
      need === 'date' || need === 'clock'
        ? requireDate(checker, operand, kind, word, need === 'clock' ? word : undefined)
        : requireKind(
            checker,
            operand,
            kind,
            word,
            need.kinds.includes('list') ? { ...need, hint: aroundAll(checker, builtin) } : need,
          );
    if (isWrong) return;
  }
  if (name.endsWith('written as')) checkWrittenAs(checker, builtin, kinds);
  checkCounts(checker, builtin, kinds);
  checkNumberOf(checker, builtin, kinds);
  checkItems(checker, builtin, kinds);
  if (name === 'remainder of' && kinds[1]?.is === 'number' && kinds[1].value === 0)
    checker.report(catalogue.dividedByZero(operands[1]?.span ?? builtin.span));
}

/**
 * The correction of `sum of line.price for each line in lines`: parentheses around all but the operation, which would otherwise apply to
 * each item. `undefined` if the operation is not the first thing before `for each`.
 */
function aroundAll({ text, mapping }: Checker, { name, operands, span }: Builtin): string | undefined {
  const [operand] = operands;
  if (mapping?.value === undefined || operand === undefined || mapping.value.span.start !== span.start) return undefined;
  const all = text.slice(operand.span.start, mapping.span.end);
  return all.length > 100 ? undefined : `To take all items together, put the whole loop in parentheses:\n    ${name} (${all})`;
}

/** Keywords that differ from the names in the tree. */
const builtinWords: Readonly<Partial<Record<BuiltinName, string>>> = {
  'first items of': 'first … of',
  'last items of': 'last … of',
  'first characters of': 'first … characters of',
  'last characters of': 'last … characters of',
  'characters of': 'characters … to … of',
  'remainder of': 'remainder of … divided by',
  'position of': 'position of … in',
  'date of written as': 'date of … written as',
  'time of written as': 'time of … written as',
  'text of written as': 'text of … written as',
  'number of written as': 'number of … written as',
};

/** The least number of items, characters or places, by operand. */
const counts: Readonly<Partial<Record<BuiltinName, readonly (number | undefined)[]>>> = {
  'first items of': [0],
  'last items of': [0],
  'first characters of': [0],
  'last characters of': [0],
  'characters of': [1, 0],
  'padded to': [undefined, 0],
};

function checkCounts(checker: Checker, { name, operands }: Builtin, kinds: readonly Kind[]): void {
  for (const [index, least] of (counts[name] ?? []).entries()) {
    const [operand, kind] = [operands[index], kinds[index]];
    if (least === undefined || operand === undefined || kind === undefined) continue;
    const what = name.endsWith('items of')
      ? 'The number of items'
      : name === 'characters of'
        ? 'The position'
        : 'The number of characters';
    if (requireCount(checker, operand, kind, what, [least])) return;
  }
}

function checkNumberOf(checker: Checker, { name, operands }: Builtin, [kind]: readonly Kind[]): void {
  const [operand] = operands;
  if (name !== 'number of' || operand === undefined || kind?.is !== 'text') return;
  if (kind.value !== undefined && !isNumber(kind.value))
    checker.report(
      catalogue.noNumberInText(operand.span, checker.text.slice(operand.span.start, operand.span.end), sampleFor(kind.value)),
    );
}

/** `EUR 12.50` → `"EUR 1,234.50"`; `undefined` if the text doesn't have exactly one number. */
function sampleFor(text: string): string | undefined {
  const numbers = text.match(/\d[\d.,]*\d|\d/g) ?? [];
  const [number = ''] = numbers;
  if (numbers.length !== 1 || text.length > 40 || /["\\{}-]/.test(text)) return undefined;
  const sample = /,\d{1,2}$/.test(number) ? '1.234,50' : /[.,]/.test(number) ? '1,234.50' : '1234';
  return `"${text.replace(number, sample)}"`;
}

/** As `number of` parses it: decimal, with an optional sign, fraction and exponent. */
const isNumber = (text: string): boolean =>
  /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(text) && Number.isFinite(Number(text));

/** The kinds that items of a list must have, for operations that use them. */
const itemNeeds: Readonly<Partial<Record<BuiltinName, { readonly kinds: readonly Kind['is'][]; readonly words: string }>>> = {
  'sum of': { kinds: ['number'], words: 'numbers' },
  'average of': { kinds: ['number'], words: 'numbers' },
  'highest of': { kinds: ['number', 'text'], words: 'numbers or texts' },
  'lowest of': { kinds: ['number', 'text'], words: 'numbers or texts' },
};

function checkItems(checker: Checker, { name, operands }: Builtin, [kind]: readonly Kind[]): void {
  const need = itemNeeds[name];
  const [operand] = operands;
  if (need === undefined || operand === undefined || kind?.is !== 'list') return;
  if (need.kinds.includes('text') && requireOrder(checker, operand, [], name, true)) return;
  const item = itemKind(kind);
  if (item.is === 'unknown' || item.is === 'empty' || need.kinds.includes(item.is)) return;
  const what = `each item of ${operandWords(checker.text, operand, item)}`;
  checker.report(catalogue.wrongKind(operand.span, what, name, need.words, undefined));
}

/** `date` is checked by its own rule; `clock` is a date with a clock time. */
type OperandNeed = Need | 'date' | 'clock' | undefined;

const shown: Need = { kinds: ['text', 'number', 'boolean'], words: 'a text' };
/** Text to parse: a cell that contains only digits is a number. */
const written: Need = { kinds: ['text', 'number'], words: 'a text' };

/** The kinds that the operands of each built-in value and operation must have, in the order of the file. */
const builtinNeeds: Readonly<Record<BuiltinName, readonly OperandNeed[]>> = {
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

/** Results depend on the order of the list. */
const ordered: ReadonlySet<BuiltinName> = new Set([
  'first items of',
  'last items of',
  'first of',
  'last of',
  'reversed',
] as const);

export function checkArranged(checker: Checker, arranged: Arranged): void {
  const { how, list, path, span } = arranged;
  const { text } = checker;
  const operand = list.kind === 'builtin' && ordered.has(list.name) ? list.operands.at(-1) : undefined;
  const kind = checker.expression(list);
  if (operand !== undefined) {
    const rest = text.slice(list.span.end, span.end);
    checker.report(
      catalogue.twoReadings(
        span,
        `${text.slice(list.span.start, operand.span.start)}(${text.slice(operand.span.start, list.span.end)}${rest})`,
        `(${text.slice(list.span.start, list.span.end)})${rest}`,
      ),
    );
    return;
  }
  const word = path.length > 0 ? `${how} by` : how;
  if (requireList(checker, list, kind, word)) return;
  if (isFieldOfPlain(checker, arranged, kind, word)) return;
  if (how === 'sorted' && requireOrder(checker, list, path, word, false)) return;
  if (!checkItemName(checker, arranged, kind)) checkField(checker, arranged, kind);
}

/** `orders sorted by order.date`: the path starts in each item, so it needs no name for it. Returns whether it reported one. */
function checkItemName(checker: Checker, { how, list, path }: Arranged, kind: Kind): boolean {
  const [first, ...rest] = path;
  const item = itemKind(kind);
  if (first === undefined || rest.length === 0 || (item.is === 'record' && item.fields?.has(first) === true)) return false;
  const name = list.kind === 'reference' ? (list.fields.at(-1) ?? list.root) : undefined;
  const isSingular = typeof name === 'string' && name.length > first.length && name.startsWith(first.slice(0, -1));
  if (first !== checker.itemOfList && first !== 'request' && !isSingular) return false;
  const isOfList = first === 'request' || rest[0] === name;
  const start = checker.text.indexOf(' by ', list.span.end) + 4;
  const end = start + path.map(writtenField).join('.').length;
  const field = (isOfList ? rest.slice(-1) : rest).map(writtenField).join('.');
  checker.report(catalogue.itemBeforeField({ start, end }, how, field, first));
  return true;
}

/** `marks sorted by descending`: numbers and texts have no fields to sort by. */
function isFieldOfPlain(checker: Checker, { how, list, path, span }: Arranged, kind: Kind, word: string): boolean {
  const item = itemKind(kind);
  if (path.length === 0 || (item.is !== 'number' && item.is !== 'text' && item.is !== 'boolean')) return false;
  const written = checker.text.slice(list.span.start, list.span.end);
  const plain = `${written} ${how}${path[0] === 'descending' || / descending$/.test(checker.text.slice(span.start, span.end)) ? ' descending' : ''}`;
  const hint = how === 'sorted' ? writeLines(plain) : undefined;
  checker.report(catalogue.wrongKind(span, `each item of ${written} is ${kindName(item)}`, word, 'records', hint));
  return true;
}

/** The field to compare is not declared. */
function checkField(checker: Checker, { list, path, span }: Arranged, kind: Kind): void {
  const [field] = path;
  const record = itemKind(kind);
  if (
    field === undefined ||
    record.is !== 'record' ||
    record.isDeclared !== true ||
    record.fields === undefined ||
    record.fields.has(field)
  )
    return;
  const start = checker.text.lastIndexOf(field, span.end);
  const owner = checker.text.slice(list.span.start, list.span.end);
  const names = [...record.fields.keys()];
  checker.report(
    catalogue.undeclaredField({ start, end: start + field.length }, owner, field, checker.closest(field, names), names),
  );
}
