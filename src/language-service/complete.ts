// Proposal: what fits at a place of a file. Words come from the grammar, names from what is set above, services and tables from their
// sections, fields from the declared inputs and from what the file reads elsewhere.
import { tokenClass, wordOf } from '../compiler/1-layout/alphabet.js';
import { layout } from '../compiler/1-layout/layout.js';
import { type Line, tokenText } from '../compiler/1-layout/line.js';
import { sectionMeant } from '../compiler/2-parse/parse.js';
import { readLines } from '../compiler/2-parse/read-lines.js';
import { writtenField } from '../compiler/vocabulary/field-names.js';
import type { WfDocument } from './document.js';
import { type Expected, expectedAfter } from './expected.js';
import { type Field, fieldsAfter, listBefore, textsFor } from './fields.js';

interface Proposal {
  readonly label: string;
  readonly kind: 'keyword' | 'variable' | 'service' | 'table' | 'field' | 'value';
  /** Details, such as the line that declares it. */
  readonly detail?: string;
}

export interface Proposals {
  /** Offset where the word at the cursor starts, which the choice replaces. */
  readonly start: number;
  readonly items: readonly Proposal[];
}

const IN_WORD = /[\p{L}\p{M}\p{Nd}_.-]/u;
/** `order.state is "sh`, `request.kind is one of ["a", `. */
const COMPARED =
  /(?<![\p{L}\p{M}\p{Nd}_.-])([\p{L}_][\p{L}\p{M}\p{Nd}_.-]*) is (?:not )?(?:one of \[(?:[^[\]]*, )?)?(?:(")([^"]*))?$/u;
const BUILT_IN = ['request', 'received', 'env', 'today', 'now'];

/** In a text, names stand in braces. */
const isInBraces = (text: string): boolean => /\{[^{}]*$/.test(text.replaceAll('{{', ''));

function lastWord(text: string): string {
  let start = text.length;
  while (start > 0 && IN_WORD.test(text.charAt(start - 1))) start--;
  return text.slice(start);
}

/** @param cases text of the case file, which knows more fields */
export function complete(document: WfDocument, offset: number, cases = ''): Proposals {
  const { text } = document;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const [, compared = '', quote, typed = ''] = COMPARED.exec(before) ?? [];
  const texts = compared === '' ? [] : textsFor(document, compared, document.lineMap.lineAt(lineStart));
  if (texts.length > 0 && quote === '"')
    return { start: offset - typed.length, items: texts.map((label): Proposal => ({ label, kind: 'value' })) };
  const word = lastWord(before);
  const around = aroundCursor(document, lineStart, before.slice(0, before.length - word.length));
  const dot = word.lastIndexOf('.');
  const items = dot === -1 ? expectedItems(document, around) : fieldItems(document, word.slice(0, dot), around, cases);
  const seen = new Set<string>();
  const unique = [...texts.map((label): Proposal => ({ label: `"${label}"`, kind: 'value' })), ...items].filter(
    ({ label }) => !seen.has(label) && seen.add(label) && label !== '',
  );
  return { start: offset - (dot === -1 ? word.length : word.length - dot - 1), items: unique };
}

interface Around {
  /** 1-based. */
  readonly number: number;
  /** The lines that the line is nested in, outermost first. */
  readonly parents: readonly Line[];
  /** The tokens before the word at the cursor; `undefined` in a text or a comment. */
  readonly shape: string | undefined;
  readonly inText: boolean;
  /** The line up to the word at the cursor, and from there. */
  readonly before: string;
  readonly after: string;
}

/** The tokens of the line as if it ended in the word that is being written. */
function aroundCursor({ text, lineMap }: WfDocument, lineStart: number, before: string): Around {
  const quotes = before.replace(/\\./g, '').split('"').length - 1;
  const inText = quotes % 2 === 1;
  const next = text.indexOf('\n', lineStart);
  const head = inText ? `${before}"` : before;
  const number = lineMap.lineAt(lineStart);
  const [found, parents] = lineWithParents(
    readLines(layout(`${text.slice(0, lineStart)}${head}x${next === -1 ? '' : text.slice(next)}`).tokens),
    number,
  );
  const after = text.slice(lineStart + before.length, next === -1 ? text.length : next);
  const at = { number, parents, before, after };
  // Under `ask … to:`, an unfinished line looks like text; it may as well be an option.
  const asking = found === undefined ? parents.at(-1) : undefined;
  const isOption = asking?.pieces !== undefined && /^ask\b/.test(text.slice(asking.start)) && !inText;
  const line = isOption ? readLines(layout(`${before.trimStart()}x`).tokens)[0] : found;
  // The last token is the stand-in for the word.
  const shape = inText || line === undefined || line.fault !== undefined ? undefined : line.shape.slice(0, -1);
  // A row of a table is matched cell by cell.
  return { ...at, shape: shape?.slice(shape.lastIndexOf('|') + 1), inText: inText || before.trimStart().startsWith('#') };
}

function lineWithParents(lines: readonly Line[], number: number): readonly [Line | undefined, readonly Line[]] {
  const parents: Line[] = [];
  let inside = lines;
  for (;;) {
    const next = inside.findLast((line) => line.number <= number);
    if (next === undefined || next.number === number) return [next, parents];
    parents.push(next);
    inside = next.children;
  }
}

function expectedItems(document: WfDocument, around: Around): Proposal[] {
  const { shape, inText } = around;
  if (inText) return isInBraces(around.before) ? variablesAbove(document, around) : [];
  if (shape === undefined) return [];
  const expected = rulesFor(document, around).flatMap((rule) => expectedAfter(rule, shape));
  // Few words that begin another statement also begin the words for a call.
  const mayCall =
    shape === '' || /^\s*(?:add|look|log|complete|reject|stop|skip)(?: (?!with )[\p{L}_-]+){0,2} $/u.test(around.before);
  const own = mayCall ? [] : expected.filter(({ rules }) => rules[1] !== 'call');
  return (own.length > 0 ? own : expected).flatMap((one) => itemsFor(one, document, around));
}

const rulesUnder: Readonly<Record<string, readonly string[]>> = {
  config: ['configLine'],
  inputs: ['inputLine'],
  services: ['serviceLine'],
  tables: ['tableLine'],
  workflow: ['statementLine'],
};

/** The rules of the grammar for a line in this block. */
function rulesFor({ text, checked }: WfDocument, { number, parents, shape }: Around): readonly string[] {
  const words = parents.map((parent) => tokenText(parent, text, 0));
  const meant = sectionMeant(words[0] ?? '');
  // Without a head, the workflow begins with its trigger.
  const isHeadless = checked.diagnostics.some(
    ({ code, span, line }) => code === 'WF053' && span.end > span.start && line < number,
  );
  if (!isHeadless && words.length === 0) return ['sectionLine'];
  const section = isHeadless ? 'workflow' : (meant ?? 'workflow');
  const inner = isHeadless && meant === undefined ? words : words.slice(1);
  const first = rulesUnder[section] ?? [];
  const parent = parents.at(-1);
  if (section === 'tables' && parent !== undefined && inner.length > 0)
    return [(parent.children[0]?.number ?? number) < number ? 'cellLine' : 'headingLine'];
  if (inner.length === 0 || parent === undefined) return first;
  if (section === 'inputs') return first;
  if (section === 'services') return /^with headers/.test(text.slice(parent.start, parent.end)) ? [] : ['serviceOptionLine'];
  if (section !== 'workflow') return [];
  const head = text.slice(parent.start, parent.end);
  if (/^on failure\b/.test(head)) return ['failureLine', 'statementLine'];
  if (/^wait for\b/.test(head)) return ['messageOptionLine'];
  if (/^look up\b/.test(head)) return ['lookUpOptionLine'];
  if (/^complete\b/.test(head)) return ['answerLine'];
  if (/^with headers\b/.test(head)) return ['callHeaderLine'];
  if (/^ask\b/.test(head) || (/\busing\b/.test(head) && (parent.pieces !== undefined || !head.endsWith(':'))))
    return ['callOptionLine'];
  return shape === undefined ? [] : ['statementLine'];
}

function itemsFor({ missing, rules }: Expected, document: WfDocument, around: Around): Proposal[] {
  const words: string[] = [];
  for (const character of missing) {
    const word = wordOf(character);
    if (word === undefined) break;
    words.push(word);
  }
  if (words.length > 0) {
    // `name:` of a setting, `otherwise:` of a block.
    const colon = missing.charAt(words.length) === ':' ? ':' : '';
    return [{ label: words.join(' ') + colon, kind: 'keyword' }];
  }
  if (missing !== tokenClass.name) return [];
  const use = rules.findLast((rule) => rule !== 'name' && rule !== 'path');
  const { services, tables } = document.checked.workflow;
  if (use === 'call' || use === 'ask')
    return services
      .filter((service) => use === 'call' || service.kind === 'ai' || service.kind === 'person' || service.kind === 'broken')
      .map(({ name }) => ({ label: name.text, kind: 'service', detail: document.lineOf(name.span.start) }));
  if (rules.includes('notified'))
    return services
      .filter(({ kind }) => kind === 'mail')
      .map(({ name }) => ({ label: name.text, kind: 'service', detail: document.lineOf(name.span.start) }));
  if (rules.includes('tableName')) return tables.map(({ name }) => ({ label: name.text, kind: 'table' }));
  // The key that a list is arranged by is a field of its items.
  if (rules.includes('sortKey'))
    return fieldItems(document, `${listBefore(around.before.replace(/ (?:sorted|grouped) by $/, ''))}.0`, around, '');
  if (use === 'fieldName' && rules.includes('pair')) return pairNames(document, around);
  if (use === 'lookUp') return resultNames(document, around);
  return use === 'reference' || use === 'place' || use === 'add' ? variablesAbove(document, around) : [];
}

const MAIL = ['to', 'cc', 'bcc', 'reply-to', 'subject', 'text', 'html', 'attachments'];

/** Names for a value after `with`: inputs of a called workflow, columns of a table, parts of a mail, or like a variable. */
function pairNames(document: WfDocument, around: Around): Proposal[] {
  const { facts } = document.checked;
  const [, service = ''] = /\busing (\S+)/.exec(around.before) ?? [];
  const [head = ''] = around.before.split(' with ');
  const table = /^\s*look up /.test(head) ? (head.split(' in ').at(-1) ?? '') : '';
  const callee = facts.called.get(service);
  if (callee !== undefined)
    return (callee.checked.workflow.inputs?.fields ?? []).map(({ name }) => fieldItem({ name: name.text }));
  if (facts.services.get(service)?.kind === 'mail') return MAIL.map((name) => fieldItem({ name }));
  const headings = facts.tables.get(table)?.headings ?? [];
  if (headings.length > 0) return headings.flatMap(({ name, test }) => (test === undefined ? [] : [fieldItem({ name })]));
  return variablesAbove(document, around).filter(({ detail }) => detail !== undefined);
}

/** What can be looked up: the columns that are results, of the table that the line names, or of each. */
function resultNames({ checked }: WfDocument, { before, after }: Around): Proposal[] {
  const { tables } = checked.facts;
  const [, rest = ''] = /^.*? in (.*)/.exec(after) ?? [];
  const named = [...tables].find(([name]) => rest === name || rest.startsWith(`${name} `));
  const taken = before.replace(/^\s*look up /, '').split(/,? and |, /);
  return (named === undefined ? [...tables] : [named]).flatMap(([table, { headings }]) =>
    headings.flatMap(({ name, test }): Proposal[] =>
      test !== undefined || taken.includes(name) ? [] : [{ ...fieldItem({ name }), detail: table }],
    ),
  );
}

const fieldItem = ({ name }: Field): Proposal => ({ label: writtenField(name), kind: 'field' });

/** The fields after `owner.`. Totals of a list are those of a field of its items. */
function fieldItems(document: WfDocument, owner: string, { inText, shape, before, number }: Around, cases: string): Proposal[] {
  if (inText ? !isInBraces(before) : shape === undefined) return [];
  const isTotal = /\b(?:sum|average|highest|lowest|unique) of \(*$/.test(before);
  return [owner, ...(isTotal ? [`${owner}.0`] : [])].flatMap((one) =>
    fieldsAfter(document, one, number, cases).map((field) => ({
      ...fieldItem(field),
      ...(field.declared === undefined ? {} : { detail: document.lineOf(field.declared) }),
    })),
  );
}

/** The variables that lines above set, the items of the loops around, and what is always there. */
function variablesAbove(document: WfDocument, { number, parents, before, after }: Around): Proposal[] {
  const { names, text, lineMap } = document;
  const lineStart = lineMap.startOf(number);
  const set = names.occurrences.filter(
    ({ kind, isDefinition, span }) => kind === 'variable' && isDefinition && span.end <= lineStart,
  );
  const around = new Set(parents.map((parent) => parent.number));
  const items = names.locals.filter(({ line }) => around.has(line)).map(({ name }) => name);
  // In a line that is not finished, these are not known yet.
  for (const { 1: name = '', index } of `${before}\0${after}`.matchAll(/\b(?:each|some|every) (\S+) in\b/g))
    if (index > before.length || /\b(?:where|satisfies)\b/.test(before.slice(index))) items.push(name);
  const failure = parents.some((parent) => /^on failure\b/.test(text.slice(parent.start, parent.end))) ? ['failure'] : [];
  return [
    ...set.map(
      ({ span }): Proposal => ({
        label: text.slice(span.start, span.end),
        kind: 'variable',
        detail: document.lineOf(span.start),
      }),
    ),
    ...[...items, ...failure, ...BUILT_IN].map((label): Proposal => ({ label, kind: 'variable' })),
  ];
}
