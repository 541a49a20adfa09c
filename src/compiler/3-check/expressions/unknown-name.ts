// Guesses the meaning of a name that no line sets: text without quotes, a subtraction, the result of a call, a state.
import type { Reference } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Checker } from '../checker.js';
import { lineBefore } from './may-be-text.js';
import { explainByNeighbours } from './unknown-beside.js';

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

const day = (name: string): string => `Write it in quotes: if weekday of today is "${name}":`;

/** Words for days and numbers → how to write them. */
const everydayWords: ReadonlyMap<string, string> = new Map([
  ['tomorrow', 'Write: today plus 1 day'],
  ['yesterday', 'Write: today minus 1 day'],
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
    (name) => [name.toLowerCase(), day(name)] as const,
  ),
  ...months.map((name, index) => [name.toLowerCase(), month(name, index)] as const),
  ['random', 'A workflow has no random numbers, so that it can be tested and continued after a crash.'],
  ...'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((name, index) => [name, `Write numbers in digits: ${index + 1}`] as const),
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
    if (hint !== undefined) return catalogue.calendarWord(reference.span, reference.root, hint);
  }
  const list = isShort ? loopAfter(checker.text, reference) : undefined;
  if (list !== undefined) return catalogue.outsideIteration(reference.span, reference.root, list);
  const beside = isShort ? explainByNeighbours(checker, reference) : undefined;
  if (beside !== undefined) return beside;
  const difference = subtraction(checker, reference);
  const { root, fields, span } = reference;
  if (difference !== undefined) return catalogue.hyphenForMinus(span, [root, ...fields].join('.'), difference);
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
    : catalogue.unknownVariable(span, [root, ...fields].join('.'), {
        suggestion: [item, root, ...fields].join('.'),
        mayBeInput: false,
        mayBeText: false,
      });
}

/** `record with sku line.sku and total line.total for each line in lines`: only the last value belongs to "for each". */
function loopAfter(text: string, { root, span }: Reference): string | undefined {
  const rest = text.slice(span.end, span.end + 300).split('\n', 1)[0] ?? '';
  if (!/\bfor\s+each\b/.test(rest)) return undefined;
  // One expression for all names: to compile one for each takes half a millisecond, for thousands of names in a hostile file.
  for (const [, item, list] of rest.matchAll(/\bfor\s+each\s+([\p{L}_][\p{L}\p{M}\p{N}_-]*)\s+in\s+([\p{L}_][\p{L}\p{N}_.-]*)/gu))
    if (item === root) return list;
  return undefined;
}

/** `total-discount`, if both are set → `total minus discount`. */
function subtraction({ scope }: Checker, { root, fields }: Reference): string | undefined {
  const isKnown = (name: string): boolean => name === 'request' || scope.look(name) !== undefined;
  for (let at = root.indexOf('-'); at !== -1; at = root.indexOf('-', at + 1)) {
    const [left, right] = [root.slice(0, at), root.slice(at + 1)];
    if (isKnown(left) && (isKnown(right) || (/^\d+$/.test(right) && fields.length === 0)))
      return `${left} minus ${[right, ...fields].join('.')}`;
  }
  return undefined;
}
