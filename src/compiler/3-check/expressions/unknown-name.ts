// Guesses the meaning of a name that no line sets: text without quotes, a subtraction, the result of a call, a state.

import type { Reference } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { type Diagnostic, MOST_SHOWN } from '../../diagnostics/diagnostic.js';
import { instead } from '../../diagnostics/hint-marks.js';
import { pathAsWritten, writtenField } from '../../vocabulary/field-names.js';
import { twoKeys } from '../../vocabulary/two-keys.js';
import type { Checker } from '../checker.js';
import { itemKind, type Kind } from '../kinds/kind.js';

/** Words after `is` that other languages use for a value that exists. */
const present: ReadonlySet<string> = new Set('set present given defined there available provided known filled'.split(' '));
const absent: ReadonlySet<string> = new Set('missing unset undefined null nil none absent unknown'.split(' '));
const amounts: Readonly<Record<string, string>> = { zero: '0', positive: 'above 0', negative: 'below 0' };
const dates: Readonly<Record<string, string>> = {
  overdue: 'is before today',
  expired: 'is before today',
  upcoming: 'is after today',
};

const months = 'January February March April May June July August September October November December'.split(' ');

const month = (name: string, index: number): string =>
  `Months are numbers: ${name} is ${index + 1}.\nIf you mean this text, put it in quotes: "${name}"`;

const day = (name: string): string => `Write it in quotes: ${instead(`if weekday of today is "${name}":`)}`;

const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Words for days and numbers → how to write them. */
const everydayWords: ReadonlyMap<string, string> = new Map([
  ['tomorrow', 'Write: today plus 1 day'],
  ['yesterday', 'Write: today minus 1 day'],
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
    (name) => [name.toLowerCase(), day(name)] as const,
  ),
  ...months.map((name, index) => [name.toLowerCase(), month(name, index)] as const),
  ['random', 'A workflow has no random numbers, so that it can be tested and continued after a crash.'],
  ...numbers.map((name, index) => [name, `Write numbers in digits: ${index + 1}`] as const),
  ...['more', 'higher', 'later', 'older'].map((name) => [name, 'Write: is at least 5'] as const),
  ...['less', 'fewer', 'lower', 'earlier', 'younger'].map((name) => [name, 'Write: is at most 5'] as const),
  ['weekend', 'Write: weekday of today is one of ["Saturday", "Sunday"]'],
]);

/** Longer names are not searched: no one writes them by hand. */
const LONGEST_NAME = 100;

/** Says what was meant, if the words around the name reveal it; `undefined` otherwise. */
export function explainUnknownName(checker: Checker, reference: Reference, inText: boolean): Diagnostic | undefined {
  const isShort = !inText && reference.root.length <= LONGEST_NAME;
  const ofItem = isShort ? fieldOfItem(checker, reference) : undefined;
  if (ofItem !== undefined) return ofItem;
  if (!inText && reference.fields.length === 0) {
    const state = explainState(checker, reference);
    if (state !== undefined) return state;
  }
  const unit = isShort && /^an?$/.test(reference.root) ? unitAfter(checker.text, reference) : undefined;
  if (unit !== undefined) return catalogue.calendarWord(reference.span, reference.root, `Write numbers in digits: 1 ${unit}`);
  if (!inText && reference.fields.length === 0) {
    const hint = everydayWords.get(reference.root.toLowerCase());
    const isDay = /^(?:tomorrow|[a-z]+day)$/i.test(reference.root);
    if (hint !== undefined && isDay && /\bwait\s+until\s+$/.test(lineBefore(checker.text, reference.span.start)))
      return catalogue.dayToWaitFor(reference.span, reference.root);
    const number = numbers.indexOf(reference.root.toLowerCase()) + 1;
    if (hint !== undefined)
      return catalogue.calendarWord(reference.span, reference.root, hint, number === 0 ? undefined : `${number}`);
  }
  if (isShort && isBeforeLoop(checker.text, reference)) return catalogue.outsideIteration(reference.span, reference.root);
  const beside = isShort ? explainByNeighbours(checker, reference) : undefined;
  if (beside !== undefined) return beside;
  const difference = subtraction(checker, reference);
  const { root, span } = reference;
  if (difference !== undefined) return catalogue.hyphenForMinus(span, pathAsWritten(reference), difference);
  const line = checker.unsavedResults.get(root);
  if (line !== undefined) return catalogue.resultNotSaved(span, root, line);
  return root === 'round' ? catalogue.roundOutsideRepeat(span) : undefined;
}

/** `wait a day`, `plus an hour` */
const unitAfter = (text: string, { span }: Reference): string | undefined =>
  /^ (seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/.exec(text.slice(span.end, span.end + 20))?.[1];

/** `is not set` → `does not exist`. */
function explainState({ text }: Checker, { root, span }: Reference): Diagnostic | undefined {
  const word = root.toLowerCase();
  const found = /\bis\s+(not\s+)?$/.exec(lineBefore(text, span.start));
  if (found === null) return undefined;
  const place = { start: span.start - found[0].length, end: span.end };
  const isNot = found[1] !== undefined;
  if (!isNot && Object.hasOwn(dates, word))
    return catalogue.otherState(place, text.slice(place.start, place.end), dates[word] ?? '');
  const amount = Object.hasOwn(amounts, word) ? amounts[word] : undefined;
  const meant = present.has(word)
    ? isNot
      ? 'does not exist'
      : 'exists'
    : absent.has(word)
      ? isNot
        ? 'exists'
        : 'does not exist'
      : word === 'blank' || word === 'nothing'
        ? `is ${isNot ? 'not ' : ''}empty`
        : amount !== undefined && (!isNot || word === 'zero')
          ? `is ${isNot ? 'not ' : ''}${amount}`
          : undefined;
  return meant === undefined ? undefined : catalogue.otherState(place, text.slice(place.start, place.end), meant);
}

/** `paid` in `each invoice in … where not paid`: a field of the item. */
function fieldOfItem({ scope, text }: Checker, { root, fields, span }: Reference): Diagnostic | undefined {
  const item = scope.itemWithField(root);
  // `invoice is not paid`
  const before = lineBefore(text, span.start);
  const state = item === undefined || fields.length > 0 ? null : /\bis\s+(not\s+)?$/.exec(before);
  const head = before.slice(0, state?.index).trimEnd();
  if (item !== undefined && state !== null && head.endsWith(item) && !/[\p{L}\p{N}_.-]/u.test(head.at(-1 - item.length) ?? '')) {
    const start = span.start - before.length + head.length - item.length;
    return catalogue.otherState(
      { start, end: span.end },
      text.slice(start, span.end),
      `${state[1] === undefined ? '' : 'not '}${item}.${root}`,
    );
  }
  return item === undefined
    ? undefined
    : catalogue.unknownVariable(span, pathAsWritten({ root, fields }), {
        suggestion: `${item}.${pathAsWritten({ root, fields })}`,
        mayBeInput: false,
        mayBeText: false,
      });
}

/** `record with sku line.sku and total line.total for each line in lines`: only the last value belongs to "for each". */
function isBeforeLoop(text: string, { root, span }: Reference): boolean {
  const rest = text.slice(span.end, span.end + 300).split('\n', 1)[0] ?? '';
  if (!/\bfor\s+each\b/.test(rest)) return false;
  // One expression for all names: to compile one for each takes half a millisecond, for thousands of names in a hostile file.
  return [...rest.matchAll(/\bfor\s+each\s+([\p{L}_][\p{L}\p{M}\p{N}_-]*)\s+in\b/gu)].some(([, item]) => item === root);
}

/** `total-discount`, if both are set → `total minus discount`. */
function subtraction({ scope }: Checker, { root, fields }: Reference): string | undefined {
  const isKnown = (name: string): boolean => name === 'request' || scope.look(name) !== undefined;
  for (let at = root.indexOf('-'); at !== -1; at = root.indexOf('-', at + 1)) {
    const [left, right] = [root.slice(0, at), root.slice(at + 1)];
    if (isKnown(left) && (isKnown(right) || (/^\d+$/.test(right) && fields.length === 0)))
      return `${left} minus ${pathAsWritten({ root: right, fields })}`;
  }
  return undefined;
}

/** Maximum part of the line to examine on either side. */
const FARTHEST = 200;

/** The rest of the line on either side of the name. */
function beside(text: string, { span }: Reference): { readonly before: string; readonly after: string } {
  return {
    before: text.slice(Math.max(text.lastIndexOf('\n', span.start - 1) + 1, span.start - FARTHEST), span.start),
    after: text.slice(span.end, span.end + FARTHEST).split('\n', 1)[0] ?? '',
  };
}

/** Says what was meant, if the words beside the name reveal it; `undefined` otherwise. */
function explainByNeighbours(checker: Checker, reference: Reference): Diagnostic | undefined {
  const { before, after } = beside(checker.text, reference);
  return (
    asSecondStatement(checker, reference, before, after) ??
    asSwappedItem(checker, reference, before, after) ??
    asService(checker, reference, after) ??
    asTable(checker, reference) ??
    asSecondKey(checker, reference, before) ??
    oneOfList(checker.text, reference) ??
    asFieldOfItem(checker, reference, before, after)
  );
}

/** `log "late" and complete` */
function asSecondStatement(
  checker: Checker,
  { root, fields, span }: Reference,
  before: string,
  after: string,
): Diagnostic | undefined {
  const ends = root === 'complete' || root === 'skip' || root === 'stop';
  const [, first] = /^\s*((?:log|set|add|reject)\s.*\S)\s+and\s+$/.exec(before) ?? [];
  if (!ends || fields.length > 0 || first === undefined || after.trim() !== '') return undefined;
  checker.misread.push(span.start);
  const second = root !== 'stop' ? root : checker.scope.innermostItem === undefined ? 'complete' : 'stop the loop';
  return catalogue.secondStatement(span, root, first.startsWith('reject') ? [first] : [first, second]);
}

/** `for each orders in order`, in which `orders` is the list. */
function asSwappedItem(
  checker: Checker,
  { root, fields, span }: Reference,
  before: string,
  after: string,
): Diagnostic | undefined {
  const [words = '', each, list = ''] = /\b(for each|each|some|every) ([\p{L}_][\p{L}\p{N}_-]*) in $/u.exec(before) ?? [];
  if (words === '' || fields.length > 0 || checker.scope.look(list) === undefined) return undefined;
  const isPlural = /^(?:s|es)$/.test(list.slice(root.length)) && list.startsWith(root);
  const isItem = isPlural || `${before} ${after}`.includes(` ${root}.`);
  // Otherwise, the name of the list may be misspelt.
  if (!isItem && checker.scope.kindOf(list)?.is !== 'list') return undefined;
  checker.misread.push(span.start);
  checker.unknownNames.add(root);
  const line = `${before.slice(0, -words.length)}${each} ${root} in ${list}${after}`.trim();
  return catalogue.swappedItem(
    { start: span.start - words.length, end: span.end },
    line.replace(/\b((?:sum|average|highest|lowest) of) (\S+ for each \S+ in \S+)/, '$1 ($2)'),
  );
}

const FAILED = /^\s+(?:is|was|has)\s+(?:not\s+)?(rejected|failed|down|unavailable|broken|offline|unreachable)\b/;

/** `if Credit is rejected`, in which Credit is a service. */
function asService(checker: Checker, { root, fields, span }: Reference, after: string): Diagnostic | undefined {
  const service = fields.length === 0 ? checker.services.get(root) : undefined;
  if (service === undefined) return undefined;
  const state = FAILED.exec(after)?.[1];
  // Part of this mistake, so it gets no message of its own.
  if (state !== undefined) checker.reported.add(state);
  return catalogue.serviceAsValue(
    span,
    root,
    state === undefined ? 'answer' : service.kind === 'workflow' ? 'rejection' : 'failure',
  );
}

/** `Costs.{request.country}`, in which Costs is a table. */
function asTable(checker: Checker, { root, span }: Reference): Diagnostic | undefined {
  const headings = checker.tables.get(root)?.headings;
  const result = headings?.find(({ test }) => test === undefined)?.name;
  if (headings === undefined || result === undefined) return undefined;
  // Part of this mistake: the table counts as used.
  checker.lookedUp.set(root, new Set(headings.map(({ name }) => name)));
  const conditions = headings.filter(({ test }) => test !== undefined).map(({ name }) => `${name} request.${name}`);
  return catalogue.tableAsValue({ ...span, end: span.start + root.length }, root, result, conditions.join(' and '));
}

/** `orders grouped by country and amount` */
function asSecondKey(checker: Checker, { root, fields, span }: Reference, before: string): Diagnostic | undefined {
  const [list = '', how = '', by, key = '', and] = before.trimEnd().split(/\s+/).slice(-5);
  const isKey = (how === 'sorted' || how === 'grouped') && by === 'by' && and === 'and';
  if (!isKey) return undefined;
  checker.misread.push(span.start);
  return catalogue.secondKey(span, how, twoKeys(how, list, key, pathAsWritten({ root, fields })));
}

/** `first order of orders`, which reads as `first <number> of orders` */
export function oneOfList(text: string, reference: Reference): Diagnostic | undefined {
  const { before, after } = beside(text, reference);
  const { root, fields, span } = reference;
  const isText = /^(?:letter|character|char|digit)$/.test(root);
  const [all = '', word = ''] = /\b(first|last)\s+$/.exec(before) ?? [];
  const [rest = '', list = ''] = /^\s+of\s+([\p{L}_][\p{L}\p{N}_.-]*)/u.exec(after) ?? [];
  if (all === '' || rest === '' || fields.length > 0) return undefined;
  return catalogue.itemOfList(
    { start: span.start - all.length, end: span.end + rest.length },
    isText ? `${word} 1 characters of ${list}` : `${word} of ${list}`,
    list,
  );
}

/** `due` in `each order in orders where due is before today` */
function asFieldOfItem(checker: Checker, reference: Reference, before: string, after: string): Diagnostic | undefined {
  const item = checker.scope.innermostItem;
  if (item === undefined) return undefined;
  const isInCondition = before.includes(' where ') || before.includes(' satisfies ');
  const isValue = /^[^"]*\bfor\s+each\s+([\p{L}_][\p{L}\p{N}_-]*)\s+in\b/u.exec(after)?.[1] === item;
  if ((!isInCondition && !isValue) || (mayBeText(checker, reference) && !/(?<!\bis )\bnot $/.test(before))) return undefined;
  // A misspelt name is more likely.
  if (checker.closest(reference.root, checker.scope.names()) !== undefined) return undefined;
  return catalogue.fieldWithoutItem(reference.span, pathAsWritten(reference), item);
}

export type DeclaredRecord = Extract<Kind, { is: 'record' }>;

const MOST_NAMES = 12;

/** @param owner what is read: `request.address` @param record its kind, or that of its items if it is a list */
export function explainUndeclared(
  checker: Checker,
  { fields, span }: Omit<Reference, 'kind' | 'root'> & { readonly root: string },
  [owner, field]: readonly [owner: string, field: string],
  record: DeclaredRecord,
  isList: boolean,
): Diagnostic {
  // An explanation looks through the file and all declared fields, and this error is not shown.
  if (checker.errors >= MOST_SHOWN) return catalogue.undeclaredField(span, owner, field, undefined, []);
  const names = [...(record.fields?.keys() ?? [])];
  if (record.outputsOf !== undefined)
    return catalogue.noSuchOutput(
      { span, suggestion: near(checker, owner, field, names) },
      owner,
      field,
      record.outputsOf,
      names,
    );
  if (isSetOnItem(checker, owner, field)) return catalogue.fieldOfEarlierRound(span, owner, field);
  const rest = fields.slice(fields.indexOf(field) + 1).map((name) => `.${writtenField(name)}`);
  const close = isList && /^(?:length|size)$/.test(field) ? `${owner}.count` : near(checker, owner, field, names);
  const meant = close !== undefined ? close + rest.join('') : insideOf(record, owner, field);
  return catalogue.undeclaredField(span, owner, field, meant, names.slice(0, MOST_NAMES));
}

const near = ({ closest }: Checker, owner: string, field: string, names: readonly string[]): string | undefined => {
  const name = closest(field, names);
  return name === undefined ? undefined : `${owner}.${writtenField(name)}`;
};

/** An earlier loop sets the field of its own item. */
const isSetOnItem = ({ text }: Checker, owner: string, field: string): boolean =>
  text.includes(` set ${owner}.${writtenField(field)} to `);

/** `request.zip` → `request.address.zip`: the field may be in a nested record. */
function insideOf(record: DeclaredRecord, owner: string, field: string): string | undefined {
  for (const [name, kind] of record.fields ?? [])
    if (kind.is === 'record' && kind.fields?.has(field) === true) return `${owner}.${writtenField(name)}.${writtenField(field)}`;
    else if (kind.is === 'list' && field === 'count') return `count of ${owner}.${writtenField(name)}`;
    else if (kind.is === 'list' && itemKind(kind).is === 'record') continue;
  return undefined;
}

/** Whether text without quotes would make sense here: alone after `to`, `is`, `log` or the key of a pair. */
export function mayBeText({ text }: Checker, { fields, span }: Reference): boolean {
  if (fields.length > 0) return false;
  const after = text.slice(span.end, span.end + 80).split('\n', 1)[0] ?? '';
  return (
    /(?:\b(?:to|is|not|log|with|contains?)|[[,]|\b(?:with|and)\s+[\p{L}_][\p{L}\p{N}_-]*)\s+$|\[$/u.test(
      lineBefore(text, span.start),
    ) && /^\s*(?:$|#|[:,\]]|(?:and|or)\b)/.test(after)
  );
}

/** The part of the line before an offset that is worth examining. */
const lineBefore = (text: string, at: number): string => text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 80), at);
