// Guesses the meaning of a name that no line sets from the words beside it: a field of an item, a second key, a service.
import type { Reference } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { twoKeys } from '../../vocabulary/two-keys.js';
import type { Checker } from '../checker.js';
import { mayBeText } from './may-be-text.js';

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
export function explainByNeighbours(checker: Checker, reference: Reference): Diagnostic | undefined {
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
  // The same mistake.
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
  // The same mistake.
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
  return catalogue.secondKey(span, how, twoKeys(how, list, key, [root, ...fields].join('.')));
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
  return catalogue.fieldWithoutItem(reference.span, [reference.root, ...reference.fields].join('.'), item);
}
