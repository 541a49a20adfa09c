// Proposal: what fits at a place of a file. Words come from the grammar, names from what is set above, services and tables from their
// sections, fields from the declared inputs and from what the file reads elsewhere.
import { tokenClass, wordOf } from '../compiler/1-layout/alphabet.js';
import { layout } from '../compiler/1-layout/layout.js';
import { type Line, tokenText } from '../compiler/1-layout/line.js';
import { readLines } from '../compiler/2-parse/read-lines.js';
import type { Inputs } from '../compiler/2-parse/tree.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import { writtenField } from '../compiler/vocabulary/field-names.js';
import type { WfDocument } from './document.js';
import { type Expected, expectedAfter } from './expected.js';

export interface Proposal {
  readonly label: string;
  readonly kind: 'keyword' | 'variable' | 'service' | 'table' | 'field';
  /** What is known of it, such as the line that declares it. */
  readonly detail?: string;
}

export interface Proposals {
  /** Offset where the word at the cursor starts, which the choice replaces. */
  readonly start: number;
  readonly items: readonly Proposal[];
}

const IN_WORD = /[\p{L}\p{M}\p{Nd}_.-]/u;
const BUILT_IN = ['request', 'received', 'env', 'today', 'now'];
const FAILURE = ['message', 'status', 'body', 'service', 'attempts', 'rejected'];

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
  const word = lastWord(before);
  const around = aroundCursor(document, lineStart, before.slice(0, before.length - word.length));
  const dot = word.lastIndexOf('.');
  const items = dot === -1 ? expectedItems(document, around) : fieldsOf(document, word.slice(0, dot), around, cases);
  const seen = new Set<string>();
  const unique = items.filter(({ label }) => !seen.has(label) && seen.add(label) && label !== '');
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
}

/** What the layout pass sees if the line ends in the word that is being written. */
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
  // Under `ask … to:`, the stand-in looks like text; it may as well be the first word of an option.
  const asking = found === undefined ? parents.at(-1) : undefined;
  if (asking?.pieces !== undefined && before.trim() === '' && /^ask\b/.test(text.slice(asking.start)))
    return { number, parents, shape: '', inText: false };
  // The last token is the stand-in for the word.
  const shape = inText || found === undefined || found.fault !== undefined ? undefined : found.shape.slice(0, -1);
  return { number, parents, shape, inText: inText || before.trimStart().startsWith('#') };
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
  const { shape, inText, number } = around;
  if (inText) return variablesAbove(document, around);
  if (shape === undefined) return [];
  const expected = rulesFor(document, around).flatMap((rule) => expectedAfter(rule, shape));
  return expected.flatMap((one) => itemsFor(one, document, around, number));
}

const rulesUnder: Readonly<Record<string, readonly string[]>> = {
  config: ['configLine'],
  inputs: ['inputLine'],
  services: ['serviceLine'],
  tables: ['tableLine'],
  workflow: ['statementLine'],
};

/** The rules of the grammar for a line in this block. */
function rulesFor({ text }: WfDocument, { parents, shape }: Around): readonly string[] {
  const [section, ...inner] = parents.map((parent) => tokenText(parent, text, 0));
  if (section === undefined) return ['sectionLine'];
  const first = rulesUnder[section] ?? [];
  const parent = parents.at(-1);
  if (inner.length === 0 || parent === undefined) return first;
  if (section === 'inputs') return first;
  if (section === 'services') return /^with headers/.test(text.slice(parent.start, parent.end)) ? [] : ['serviceOptionLine'];
  if (section !== 'workflow') return [];
  const head = text.slice(parent.start, parent.end);
  if (/^on failure\b/.test(head)) return ['failureLine', 'statementLine'];
  if (/^wait for\b/.test(head)) return ['messageOptionLine'];
  if (/^look up\b/.test(head)) return ['lookUpOptionLine'];
  if (/^complete\b/.test(head)) return ['answerLine'];
  if (/^ask\b/.test(head) || (/\busing\b/.test(head) && (parent.pieces !== undefined || !head.endsWith(':'))))
    return ['callOptionLine'];
  return shape === undefined ? [] : ['statementLine'];
}

function itemsFor({ missing, rules }: Expected, document: WfDocument, around: Around, number: number): Proposal[] {
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
      .map(({ name }) => ({ label: name.text, kind: 'service', detail: lineOf(document, name.span.start) }));
  if (rules.includes('notified'))
    return services
      .filter(({ kind }) => kind === 'mail')
      .map(({ name }) => ({ label: name.text, kind: 'service', detail: lineOf(document, name.span.start) }));
  if (rules.includes('tableName')) return tables.map(({ name }) => ({ label: name.text, kind: 'table' }));
  const isValue = use === 'reference' || use === 'place' || use === 'add';
  return isValue && number > 0 ? variablesAbove(document, around) : [];
}

/** The variables that lines above set, the items of the loops around, and what is always there. */
function variablesAbove(document: WfDocument, { number, parents }: Around): Proposal[] {
  const { names, text, lineMap } = document;
  const lineStart = lineMap.startOf(number);
  const set = names.occurrences.filter(
    ({ kind, isDefinition, span }) => kind === 'variable' && isDefinition && span.end <= lineStart,
  );
  const around = new Set(parents.map((parent) => parent.number));
  const items = names.locals.filter(({ line }) => around.has(line)).map(({ name }) => name);
  const failure = parents.some((parent) => /^on failure\b/.test(text.slice(parent.start, parent.end))) ? ['failure'] : [];
  return [
    ...set.map(
      ({ span }): Proposal => ({
        label: text.slice(span.start, span.end),
        kind: 'variable',
        detail: lineOf(document, span.start),
      }),
    ),
    ...[...items, ...failure, ...BUILT_IN].map((label): Proposal => ({ label, kind: 'variable' })),
  ];
}

/** The line at an offset, as written. */
export const lineOf = ({ lineMap }: WfDocument, offset: number): string => lineMap.textOf(lineMap.lineAt(offset)).trim();

/** The fields after `owner.`: as declared, or as the cases have them and the file reads them elsewhere. */
function fieldsOf(document: WfDocument, owner: string, { inText, shape }: Around, cases: string): Proposal[] {
  if (!inText && shape === undefined) return [];
  const [root = '', ...path] = owner.split('.');
  if (root === 'failure') return FAILURE.map((label) => ({ label, kind: 'field' }));
  if (root === 'env') return [...document.checked.facts.env].map((label) => ({ label, kind: 'field' }));
  if (root === 'request') {
    const declared = inputsAt(document.checked.workflow.inputs, path);
    if (declared !== undefined)
      return declared.fields.map(({ name }) => ({
        label: writtenField(name.text),
        kind: 'field',
        detail: lineOf(document, name.span.start),
      }));
  }
  const prefix = `${owner}.`;
  const read = new Set(cases === '' ? [] : fieldsInCases(document, [root, ...path], cases).map(writtenField));
  for (const [written] of document.text.matchAll(/[\p{L}_][\p{L}\p{M}\p{Nd}_.-]*/gu))
    if (written.startsWith(prefix) && written.length > prefix.length) read.add(written.slice(prefix.length).split('.')[0] ?? '');
  return [...read].map((label) => ({ label, kind: 'field' }));
}

function inputsAt(inputs: Inputs | undefined, path: readonly string[]): Inputs | undefined {
  let inside = inputs;
  for (const step of path) {
    if (/^\d+$/.test(step)) continue;
    const field = inside?.fields.find(({ name }) => name.text === step);
    inside = field !== undefined && 'fields' in field ? field.fields : undefined;
  }
  return inside;
}

/**
 * The names of the fields of `owner`: `request.address`, or a variable that an answer or a message is saved as.
 * @param cases text of the case file; one that is not JSON has no fields
 */
function fieldsInCases({ checked }: WfDocument, owner: readonly string[], cases: string): string[] {
  const [root = '', ...path] = owner;
  const found = new Set<string>();
  const add = (value: unknown, rest: readonly string[]): void => {
    const [first, ...others] = rest;
    for (const one of itemsOf(value)) {
      if (first !== undefined) add(/^\d+$/.test(first) ? one : fieldOf(one, first), others);
      else if (isObject(one)) for (const key of Object.keys(one)) found.add(key);
    }
  };
  for (const one of itemsOf(casesIn(cases))) {
    if (root === 'request') add(fieldOf(one, 'input'), path);
    for (const statement of statementsIn(checked.workflow.body)) {
      if (statement.kind === 'wait for' && statement.save?.text === root)
        for (const given of itemsOf(fieldOf(fieldOf(one, 'messages'), statement.message.text)))
          add(fieldOf(given, 'message') ?? given, path);
      if (statement.kind !== 'call' || !statement.saves.some(({ what, name }) => what === 'result' && name.text === root))
        continue;
      const answers = fieldOf(fieldOf(one, 'mocks'), statement.service.text);
      // Some answers are named by their path; then any may be the one.
      const own = fieldOf(answers, statement.phrase.join(' '));
      for (const answer of own === undefined && isObject(answers) ? Object.values(answers) : [own]) add(answered(answer), path);
    }
  }
  return [...found];
}

/** What the call gives, without how the mock gives it. */
function answered(answer: unknown): unknown {
  for (const key of ['inTurn', 'then', 'value', 'body']) {
    const inside = fieldOf(answer, key);
    if (inside !== undefined) return key === 'inTurn' ? itemsOf(inside).map(answered) : answered(inside);
  }
  return ['status', 'fail', 'error'].some((key) => fieldOf(answer, key) !== undefined) ? undefined : answer;
}

/** The list of cases: the whole file, or its field `cases`. */
function casesIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : fieldOf(value, 'cases');
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldOf = (value: unknown, key: string): unknown => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
