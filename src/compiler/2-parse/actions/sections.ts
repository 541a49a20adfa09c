// Semantic actions for everything above `workflow:`: heads of sections, settings, inputs, services, tables; and for looking up in a table.
import type { Node } from 'ohm-js';
import type { CellTest, CellValue, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type {
  BoundWord,
  CountRange,
  InputKind,
  InputLimit,
  InputLine,
  Literal,
  OpenItem,
  Presence,
  ScalarName,
} from '../declaration-tree.js';
import type {
  CellLine,
  ConfigLine,
  HeaderLine,
  HeadingLine,
  LookUpOptionLine,
  SectionName,
  ServiceLine,
  ServiceOptionLine,
  StatementLine,
  TableLine,
} from '../line-node.js';
import {
  type Actions,
  optional,
  phraseName,
  type Read,
  reader,
  readers,
  type Source,
  spanOf,
  tokensOf,
  wordsOf,
} from '../source.js';
import type { AmountOfTime, Duration, Expression, Limit, Name, NumberLiteral, Pair, Text } from '../tree.js';

const config =
  <T>(kind: ConfigLine['kind'], value: Read<T>) =>
  (source: Parameters<Read<T>>[0]) => ({ kind, value: value(source) });

export const sectionActions: Actions = {
  sectionLine(word, _colon, _opening) {
    const section = wordsOf(word) as SectionName; // the rule's alternatives are the sections
    return () => section;
  },
  configLine_name: (_key, _colon, text, _end) => config('name', reader<Text>(text)),
  configLine_description: (_key, _colon, text, _end) => config('description', reader<Text>(text)),
  configLine_version: (_key, _colon, number, _end) => config('version', reader<NumberLiteral>(number)),
  configLine_timeout: (_key, _colon, duration, _end) => config('timeout', reader<Duration>(duration)),
  configLine_timezone: (_key, _colon, text, _end) => config('timezone', reader<Text>(text)),
  configLine_schedule: (_key, _colon, text, _end) => config('schedule', reader<Text>(text)),
  configLine_holidays(_key, _colon, _open, list, _close, _end) {
    const items = optional<Expression[]>(list);
    return config('holidays', (source) => items?.(source) ?? []);
  },
  configLine_once(_key, _colon, valueNode, keptNode, _end) {
    const value = reader<Expression>(valueNode);
    const kept = optional<Duration>(keptNode);
    return config('once for each', (source) => ({ value: value(source), keptFor: kept?.(source) }));
  },
  keptFor: (_for, duration) => reader<Duration>(duration),
  configLine_findBy: (_key, _colon, items, _end) => config('find by', reader<Expression[]>(items)),
  configLine_keepFor: (_key, _colon, duration, _end) => config('keep for', reader<Duration>(duration)),
  configLine_workingHours: (_key, _colon, text, _end) => config('working hours', reader<Text>(text)),
  configLine_language: (_key, _colon, text, _end) => config('language', reader<Text>(text)),
  configLine_signature: (_key, _colon, text, _end) => config('signature', reader<Text>(text)),
  configLine_secret: (_key, _colon, text, _end) => config('secret', reader<Text>(text)),
  configLine_answer: (_key, _colon, _accepted, _end) => () => ({ kind: 'answer', value: 'accepted' }),
  configLine_status: (_key, _colon, number, _end) => config('status', reader<NumberLiteral>(number)),
  configLine_runs: (_key, _colon, number, _end) => config('runs', reader<NumberLiteral>(number)),
  configLine_unknown(nameNode, _colon, _value, _end) {
    const key = reader<Name>(nameNode);
    const read: Read<ConfigLine> = (source) => ({ kind: 'unknown', key: key(source) });
    return read;
  },
};

function service(kind: ServiceLine['kind'], nameNode: Node, targetNode: Node): Read<ServiceLine> {
  const name = reader<Name>(nameNode);
  const target = reader<Text>(targetNode);
  return (source) => ({ kind, name: name(source), target: target(source) });
}

/** Semantic actions for the lines of `services:`: declarations, and the options under them. */
export const serviceActions: Actions = {
  serviceLine_api: (name, _is, _a, _api, _at, text, _opening) => service('api', name, text),
  serviceLine_webhook: (name, _is, _a, _webhook, _at, text, _opening) => service('webhook', name, text),
  serviceLine_ai: (name, _is, _a, _ai, _using, text, _opening) => service('ai', name, text),
  serviceLine_plugin: (name, _is, _a, _plugin, text, _opening) => service('plugin', name, text),
  serviceLine_database: (name, _is, _a, _database, _at, text, _opening) => service('database', name, text),
  serviceLine_mail: (name, _is, _a, _mail, _at, text, _opening) => service('mail', name, text),
  serviceLine_folder: (name, _is, _a, _folder, _at, text, _opening) => service('folder', name, text),
  serviceLine_workflow: (name, _is, _a, _workflow, _at, text, _opening) => service('workflow', name, text),
  serviceLine_person(nameNode, _is, _a, _person, notifiedNode, _opening) {
    const tokens = tokensOf(this);
    const name = reader<Name>(nameNode);
    const notified = optional<Text | Name>(notifiedNode);
    const read: Read<ServiceLine> = (source) => {
      // Notifications are optional: people can also look in the console.
      const nowhere: Text = { kind: 'text', parts: [], span: spanOf(source, tokens) };
      const by = notified?.(source) ?? nowhere;
      return { kind: 'person', name: name(source), ...('parts' in by ? { target: by } : { target: nowhere, notifiedBy: by }) };
    };
    return read;
  },
  notified_at: (_words, text) => reader<Text>(text),
  notified_by: (_words, name) => reader<Name>(name),
  serviceOptionLine_headers(_with, _headers, _colon, _block) {
    const read: Read<ServiceOptionLine> = () => ({ kind: 'headers' });
    return read;
  },
  serviceOptionLine_timeout(_with, _timeout, duration, _end) {
    const value = reader<AmountOfTime>(duration);
    const read: Read<ServiceOptionLine> = (source) => ({ kind: 'timeout', value: value(source) });
    return read;
  },
  serviceOptionLine_limit(_with, _limit, number, _calls, perNode, _end) {
    const tokens = tokensOf(this);
    const count = reader<NumberLiteral>(number);
    const per = wordsOf(perNode) as Limit['per']; // the rule's alternatives
    const read: Read<ServiceOptionLine> = (source) => ({
      kind: 'limit',
      per,
      count: count(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  serviceOptionLine_certificate(_with, _words, certificateNode, _and, keyNode, _end) {
    const tokens = tokensOf(this);
    const certificate = reader<Text>(certificateNode);
    const key = reader<Text>(keyNode);
    const read: Read<ServiceOptionLine> = (source) => ({
      kind: 'certificate',
      certificate: certificate(source),
      key: key(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  serviceOptionLine_signIn(_sign, atNode, _as, idNode, _with, secretNode, scopeNode, _end) {
    const tokens = tokensOf(this);
    const at = reader<Text>(atNode);
    const id = reader<Text>(idNode);
    const secret = reader<Text>(secretNode);
    const scope = optional<Text>(scopeNode);
    const read: Read<ServiceOptionLine> = (source) => ({
      kind: 'sign in',
      at: at(source),
      id: id(source),
      secret: secret(source),
      scope: scope?.(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  scope: (_for, text) => reader<Text>(text),
  serviceOptionLine_from(_from, text, _end) {
    const value = reader<Text>(text);
    const read: Read<ServiceOptionLine> = (source) => ({ kind: 'from', value: value(source) });
    return read;
  },
  headerLine(nameNode, _colon, text, _end) {
    const name = reader<Name>(nameNode);
    const value = reader<Text>(text);
    const read: Read<HeaderLine> = (source) => ({ name: name(source), value: value(source) });
    return read;
  },
};

/** `texts`, `text` → `text`: in a list, the plural names the kind of its items. */
const singular = (words: string): ScalarName =>
  // The rule's alternatives are these names.
  words.replace(/addresses$/, 'address').replace(/(text|number|date|time|record)s$/, '$1') as ScalarName;

const constants: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

export const inputActions: Actions = {
  inputLine(nameNode, _is, kindNode, presenceNode, _end) {
    const name = reader<Name>(nameNode);
    const kind = reader<InputKind>(kindNode);
    const presence = optional<Presence>(presenceNode);
    const tokens = tokensOf(kindNode);
    const read: Read<InputLine> = (source) => ({
      name: name(source),
      kind: { ...kind(source), span: spanOf(source, tokens) },
      presence: presence?.(source),
    });
    return read;
  },
  inputKind_choice(_words, literals) {
    const values = reader<Literal[]>(literals);
    const read: Read<InputKind> = (source) => ({ is: 'choice', values: values(source) });
    return read;
  },
  inputKind_yesOrNo: (_words) => (): InputKind => ({ is: 'yes or no' }),
  inputKind_anything: (_word) => (): InputKind => ({ is: 'anything' }),
  inputKind_openList(_a, _words, countNode, item) {
    const of = wordsOf(item) as OpenItem; // the rule's alternatives
    const count = optional<CountRange>(countNode);
    const read: Read<InputKind> = (source) => ({ is: 'list', of, count: count?.(source), limits: [] });
    return read;
  },
  inputKind_list(_a, _words, countNode, items, limitNodes) {
    const of = singular(wordsOf(items));
    const count = optional<CountRange>(countNode);
    const limits = readers<InputLimit>(limitNodes);
    const read: Read<InputKind> = (source) => ({
      is: 'list',
      of,
      count: count?.(source),
      limits: limits.map((limit) => limit(source)),
    });
    return read;
  },
  inputKind_scalar(_a, words, limitNodes) {
    const name = wordsOf(words) as ScalarName; // the rule's alternatives
    const limits = readers<InputLimit>(limitNodes);
    const read: Read<InputKind> = (source) => ({ is: 'scalar', name, limits: limits.map((limit) => limit(source)) });
    return read;
  },
  inputLimit_range(_from, lowNode, _to, highNode) {
    const low = reader<Literal>(lowNode);
    const high = reader<Literal>(highNode);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({
      kind: 'range',
      low: low(source),
      high: high(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  inputLimit_bound(_of, words, literal) {
    const word = wordsOf(words) as BoundWord; // the rule's alternatives
    const value = reader<Literal>(literal);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({ kind: 'bound', word, value: value(source), span: spanOf(source, tokens) });
    return read;
  },
  inputLimit_characters(_of, countNode, _characters) {
    const count = reader<CountRange>(countNode);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({ kind: 'characters', count: count(source), span: spanOf(source, tokens) });
    return read;
  },
  inputLimit_like(_like, text) {
    const pattern = reader<Text>(text);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({ kind: 'like', pattern: pattern(source), span: spanOf(source, tokens) });
    return read;
  },
  countRange_least(_words, number) {
    const least = reader<NumberLiteral>(number);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: least(source), most: undefined, span: spanOf(source, tokens) });
    return read;
  },
  countRange_most(_words, number) {
    const most = reader<NumberLiteral>(number);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: undefined, most: most(source), span: spanOf(source, tokens) });
    return read;
  },
  countRange_between(leastNode, _to, mostNode) {
    const least = reader<NumberLiteral>(leastNode);
    const most = reader<NumberLiteral>(mostNode);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: least(source), most: most(source), span: spanOf(source, tokens) });
    return read;
  },
  countRange_exactly(number) {
    const count = reader<NumberLiteral>(number);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: count(source), most: count(source), span: spanOf(source, tokens) });
    return read;
  },
  presence_optional: (_comma, _word) => (): Presence => ({ is: 'optional' }),
  presence_otherwise(_comma, _word, literal) {
    const value = reader<Literal>(literal);
    const read: Read<Presence> = (source) => ({ is: 'otherwise', value: value(source) });
    return read;
  },
  literals(first, _comma, rest) {
    const items = [reader<Literal>(first), ...readers<Literal>(rest)];
    const read: Read<Literal[]> = (source) => items.map((item) => item(source));
    return read;
  },
  literal_list(_open, literals, _close) {
    const items = optional<Literal[]>(literals);
    const tokens = tokensOf(this);
    const read: Read<Literal> = (source) => ({ kind: 'literals', items: items?.(source) ?? [], span: spanOf(source, tokens) });
    return read;
  },
  literal_constant(word) {
    const value = constants[wordsOf(word)] ?? false;
    const tokens = tokensOf(this);
    const read: Read<Literal> = (source) => ({ kind: 'constant', value, span: spanOf(source, tokens) });
    return read;
  },
};

type ReadCell = Read<CellLine>;

const test =
  (of: (source: Source) => CellTest): ReadCell =>
  (source) => ({ is: 'test', test: of(source) });

/** The value of a literal; `undefined` for a list and for text with values in it, which no cell may contain. */
function literalOf(literal: Literal): string | number | boolean | undefined {
  if (literal.kind === 'literals') return undefined;
  if (literal.kind === 'number') return literal.value;
  if (literal.kind === 'constant') return literal.value === true;
  return literal.parts.every((part) => typeof part === 'string') ? literal.parts.join('') : undefined;
}

function heading(nameNode: Node, testNode: Node | undefined): Read<HeadingLine> {
  const name = reader<Name>(nameNode);
  const test = testNode === undefined ? undefined : (wordsOf(testNode) as HeadingTest); // the rule's alternatives
  return (source) => ({ name: name(source).text, test });
}

export const tableActions: Actions = {
  tableLine_file(nameNode, _is, textNode, _end) {
    const name = reader<Name>(nameNode);
    const at = reader<Text>(textNode);
    const read: Read<TableLine> = (source) => ({ kind: 'file', name: name(source), at: at(source) });
    return read;
  },
  tableLine_rows(nameNode, _colon, _block) {
    const name = reader<Name>(nameNode);
    const read: Read<TableLine> = (source) => ({ kind: 'rows', name: name(source) });
    return read;
  },
  tableName: (words) => phraseName(words),
  headingLine_name: (name, test, _end) => heading(name, test.numChildren === 0 ? undefined : test),
  headingLine_quoted: (name, test, _end) => heading(name, test),
  cellLine_any: (_word, _end) => test(() => null),
  cellLine_empty: (_word, _end) => test(() => ['empty']),
  cellLine_oneOf(_words, literals, _end) {
    const items = reader<Literal[]>(literals);
    const read: ReadCell = (source) => {
      const values = items(source).map(literalOf);
      return values.some((value) => value === undefined)
        ? { is: 'unread' }
        : { is: 'test', test: ['one of', ...values.flatMap((value) => (value === undefined ? [] : [value]))] };
    };
    return read;
  },
  cellLine_comparison(words, literal, _end) {
    const word = wordsOf(words) as 'above' | 'below' | 'at least' | 'at most'; // the rule's alternatives
    const value = reader<Literal>(literal);
    const read: ReadCell = (source) => {
      const limit = literalOf(value(source));
      return typeof limit === 'number' ? { is: 'test', test: [word, limit] } : { is: 'unread' };
    };
    return read;
  },
  cellLine_between(_between, lowNode, _and, highNode, _end) {
    return limits(reader<Literal>(lowNode), reader<Literal>(highNode), true);
  },
  cellLine_limits(lowNode, _and, highNode, _end) {
    return limits(reader<Literal>(lowNode), reader<Literal>(highNode), false);
  },
  cellLine_value(literal, _end) {
    const value = reader<Literal>(literal);
    const read: ReadCell = (source) => {
      const fixed = literalOf(value(source));
      return fixed === undefined ? { is: 'unread' } : { is: 'test', test: fixed };
    };
    return read;
  },
  lookUp(_words, first, _separators, rest, _in, nameNode, pairsNode, _opening) {
    const results = [reader<Name>(first), ...readers<Name>(rest)];
    const table = reader<Name>(nameNode);
    const pairs = optional<Pair[]>(pairsNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'look up',
      results: results.map((result) => result(source)),
      table: table(source),
      pairs: pairs?.(source) ?? [],
    });
    return read;
  },
  lookUpOptionLine(_words, _colon, _block) {
    const read: Read<LookUpOptionLine> = () => ({ kind: 'nothing' });
    return read;
  },
};

function limits(low: Read<Literal>, high: Read<Literal>, isTest: boolean): ReadCell {
  return (source) => {
    const values: (CellValue | undefined)[] = [literalOf(low(source)), literalOf(high(source))];
    const [from, to] = values;
    if (from === undefined || to === undefined || from === null || to === null) return { is: 'unread' };
    if (!isTest) return { is: 'limits', low: from, high: to };
    return typeof from === 'boolean' || typeof to === 'boolean' ? { is: 'unread' } : { is: 'test', test: ['between', from, to] };
  };
}
