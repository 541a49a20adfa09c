// The fields that may follow `owner.`: those that are declared or set, that the file reads of the same value elsewhere, under whatever name, and
// that the cases have.
import type { Inputs } from '../compiler/2-parse/tree.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import { fieldKind, type Kind, listOfKind, textsOf, unknownKind } from '../compiler/3-check/kinds/kind.js';
import { kindOf } from '../compiler/3-check/kinds/kind-of.js';
import type { WfDocument } from './document.js';
import { kindsOf } from './hover.js';

export interface Field {
  readonly name: string;
  /** Offset of its declaration. */
  readonly declared?: number;
}

const FAILURE = ['message', 'status', 'body', 'service', 'attempts', 'rejected'];
/** In a path, an item of a list is `0`, and the groups of its items are `*`. */
const [ITEM, GROUPS] = ['.0', '.*'];

const NAME = String.raw`(?<![\p{L}\p{Nd}_.-])[\p{L}_](?:[\p{L}\p{M}\p{Nd}_-]*[\p{L}\p{M}\p{Nd}_])?`;
const PATH = String.raw`${NAME}(?:\.[\p{L}\p{M}\p{Nd}_-]+)*`;
const SET = new RegExp(`\\bset (${NAME}) to ((?:each ${NAME} in|first of|last of|unique of|reversed|[( ])*)(${PATH})(.*)`, 'u');
const LOOP = new RegExp(`\\b(?:each|some|every) (${NAME}) in [( ]*(${PATH})( grouped by )?`, 'gu');
const READ = new RegExp(`(?:\\b(sum|average|highest|lowest|unique) of \\(*)?(${PATH})`, 'gu');
const ARRANGED = new RegExp(` (?:sorted|grouped) by (${PATH})`, 'gu');
const LAST_PATH = new RegExp(`${PATH}$`, 'u');
const LAST_LIST = new RegExp(`.*(?: in|\\() *\\(*(${PATH})(.*)$`, 'u');

/** The list that ends here: `request.rows`, `(each sale in request.rows where …)`. */
export function listBefore(text: string): string {
  const direct = LAST_PATH.exec(text)?.[0];
  if (direct !== undefined) return direct;
  const [, list = '', rest = ''] = LAST_LIST.exec(text) ?? [];
  return rest.startsWith(' grouped by ') ? list + GROUPS : list;
}

/**
 * @param number 1-based line of the cursor, whose word may be unfinished: it is not read
 * @param cases text of the case file; one that is not JSON has no fields
 */
export function fieldsAfter(document: WfDocument, owner: string, number: number, cases: string): Field[] {
  const { checked, text } = document;
  const [root = ''] = owner.split('.');
  if (root === 'failure') return FAILURE.map((name) => ({ name }));
  if (root === 'env') return [...checked.facts.env].map((name) => ({ name }));
  const kinds = knownKinds(document);
  const { path, read } = readOf(text, owner, number, kinds);
  const kind = kindOfPath(path, kinds);
  const declared =
    path.startsWith('request') && kind.is !== 'list' ? inputsAt(checked.workflow.inputs, path.split('.').slice(1)) : undefined;
  if (declared !== undefined) return declared.fields.map(({ name }) => ({ name: name.text, declared: name.span.start }));
  const found = new Set(kind.is === 'record' ? kind.fields?.keys() : []);
  if (path.endsWith(GROUPS + ITEM)) for (const name of ['key', 'items']) found.add(name);
  for (const name of outputsSavedAs(document, path)) found.add(name);
  if (cases !== '') for (const name of fieldsInCases(document, path.split('.'), cases)) found.add(name);
  let isList = kind.is === 'list';
  for (const one of read) {
    const [next = ''] = one.startsWith(`${path}.`) ? one.slice(path.length + 1).split('.') : [];
    if (/^[\d*]/.test(next)) isList = true;
    else if (next !== '') found.add(next);
  }
  if (isList) found.add('count');
  return [...found].map((name) => ({ name }));
}

function kindOfPath(path: string, kinds: ReadonlyMap<string, Kind>): Kind {
  const [root = '', ...fields] = path.split('.');
  return fields.reduce<Kind>((of, field) => (field === '*' ? unknownKind : fieldKind(of, field)), kinds.get(root) ?? unknownKind);
}

/** The kinds of variables, and what is offered to a person, and added to a list, as if nothing else could be in them. */
function knownKinds(document: WfDocument): ReadonlyMap<string, Kind> {
  const kinds = new Map(kindsOf(document));
  for (const statement of statementsIn(document.checked.workflow.body)) {
    if (statement.kind === 'add' && statement.value.kind === 'record')
      kinds.set(statement.target.text, listOfKind(kindOf(statement.value, (name) => kinds.get(name))));
    const offered = statement.kind === 'ask' ? statement.choices?.items : undefined;
    if (statement.kind !== 'ask' || offered === undefined) continue;
    const oneOf = offered.flatMap((item) => textsOf(kindOf(item, (name) => kinds.get(name))) ?? []);
    for (const { what, name } of statement.saves) if (what === 'result') kinds.set(name.text, { is: 'text', oneOf });
  }
  return kinds;
}

/** All texts that a value can be, if they are known. */
export function textsFor(document: WfDocument, path: string, number: number): readonly string[] {
  const kinds = knownKinds(document);
  return textsOf(kindOfPath(readOf(document.text, path, number, kinds).path, kinds)) ?? [];
}

/** Every path that the file reads, and the one of `owner` on a line: each under the name of the value that it comes from. */
function readOf(
  text: string,
  owner: string,
  number: number,
  kinds: ReadonlyMap<string, Kind>,
): { path: string; read: Set<string> } {
  const behind = new Map<string, string>();
  const resolve = (path: string): string => {
    const [root = ''] = /^[^.]*/.exec(path) ?? [];
    const whole = (behind.get(root) ?? root) + path.slice(root.length);
    return whole.replaceAll(`${GROUPS}${ITEM}.items`, '').replace(/\.\d+(?=\.|$)/g, ITEM);
  };
  const read = new Set<string>();
  let found = owner;
  for (const [index, line] of text.split('\n').entries()) {
    const [, name = '', form = '', source = '', rest = ''] = SET.exec(line) ?? [];
    const kind = kinds.get(name);
    if (kind === undefined || kind.is === 'unknown' || (kind.is === 'list' && kind.item === undefined))
      behind.set(name, resolve(source) + (/ grouped by /.test(rest) ? GROUPS : '') + (/first|last/.test(form) ? ITEM : ''));
    for (const [, item = '', list = '', grouped] of line.matchAll(LOOP))
      behind.set(item, resolve(list) + (grouped === undefined ? '' : GROUPS) + ITEM);
    if (index + 1 === number) {
      found = resolve(owner);
      continue;
    }
    for (const [, total, path = ''] of line.matchAll(READ)) {
      if (!path.includes('.')) continue;
      const whole = resolve(path);
      read.add(whole).add(path);
      if (total !== undefined && !/^request\.[^.]*$/.test(whole)) read.add(whole.replace(/\.[^.]*$/, `${ITEM}$&`));
    }
    for (const { 1: key = '', index: at } of line.matchAll(ARRANGED))
      read.add(`${resolve(listBefore(line.slice(0, at)))}${ITEM}.${key}`);
  }
  return { path: found, read };
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

/** The outputs of the called workflow whose result has this name. */
function outputsSavedAs({ checked }: WfDocument, saved: string): readonly string[] {
  for (const statement of statementsIn(checked.workflow.body))
    if (statement.kind === 'call' && statement.saves.some(({ what, name }) => what === 'result' && name.text === saved))
      return [...(checked.facts.called.get(statement.service.text)?.checked.facts.outputKeys ?? [])];
  return [];
}

/** The names of the fields of `owner`: `request.address`, or a variable that an answer or a message is saved as. */
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

/** The answer of the call, without the mock's own settings. */
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
