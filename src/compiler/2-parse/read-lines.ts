// Semantic actions of the rules that are whole lines: sections, declarations, statements, and the lines under a call.
import { tokenSpan, tokenText } from '../1-layout/line.js';
import type {
  CallOptionLine,
  ConfigLine,
  FailureLine,
  HeaderLine,
  SectionName,
  ServiceLine,
  ServiceOptionLine,
  StatementLine,
} from './line-node.js';
import { optional, reader, tokensOf, wordsOf } from './read-values.js';
import { place, type Read, spanOf, type Tokens } from './source.js';
import type { Actions, SyntaxNode } from './syntax-node.js';
import { freeText, toReference } from './text.js';
import type { Duration, Expression, Name, NumberLiteral, Pair, Saved, Text } from './tree.js';

const simple =
  (kind: 'skip' | 'stop'): Read<StatementLine> =>
  (source) => ({ kind, ...place(source) });

const config =
  <T>(kind: ConfigLine['kind'], value: Read<T>) =>
  (source: Parameters<Read<T>>[0]) => ({ kind, value: value(source) });

function service(kind: ServiceLine['kind'], nameNode: SyntaxNode, targetNode: SyntaxNode): Read<ServiceLine> {
  const name = reader<Name>(nameNode);
  const target = reader<Text>(targetNode);
  return (source) => ({ kind, name: name(source), target: target(source) });
}

function save(what: Saved, node: SyntaxNode, tokens: Tokens): Read<CallOptionLine> {
  const name = reader<Name>(node);
  return (source) => ({ kind: 'save', what, name: name(source), span: spanOf(source, tokens) });
}

/** The names of several words, from the first to the last, as one: a step's name keeps its words, one space between them. */
function phraseName(node: SyntaxNode): Read<Name> {
  const tokens = tokensOf(node);
  return (source) => ({ text: phraseWords(tokens)(source).join(' '), span: spanOf(source, tokens) });
}

const phraseWords =
  (tokens: Tokens): Read<string[]> =>
  (source) => {
    const words: string[] = [];
    for (let index = tokens.first; index <= tokens.last; index++) words.push(tokenText(source.line, source.text, index));
    return words;
  };

export const lineActions: Actions = {
  sectionLine(word, _colon, _opening) {
    const section = wordsOf(word) as SectionName; // the rule's alternatives are the sections
    return () => section;
  },
  configLine_name: (_key, _colon, text, _end) => config('name', reader<Text>(text)),
  configLine_description: (_key, _colon, text, _end) => config('description', reader<Text>(text)),
  configLine_version: (_key, _colon, number, _end) => config('version', reader<NumberLiteral>(number)),
  configLine_timeout: (_key, _colon, duration, _end) => config('timeout', reader<Duration>(duration)),
  configLine_unknown(nameNode, _colon, _value, _end) {
    const key = reader<Name>(nameNode);
    const read: Read<ConfigLine> = (source) => ({ kind: 'unknown', key: key(source) });
    return read;
  },

  serviceLine_api: (name, _is, _a, _api, _at, text, _opening) => service('api', name, text),
  serviceLine_webhook: (name, _is, _a, _webhook, _at, text, _opening) => service('webhook', name, text),
  serviceLine_ai: (name, _is, _a, _ai, _using, text, _opening) => service('ai', name, text),
  serviceLine_plugin: (name, _is, _a, _plugin, text, _opening) => service('plugin', name, text),
  serviceOptionLine_headers(_with, _headers, _colon, _block) {
    const read: Read<ServiceOptionLine> = () => ({ kind: 'headers' });
    return read;
  },
  serviceOptionLine_timeout(_with, _timeout, duration, _end) {
    const value = reader<Duration>(duration);
    const read: Read<ServiceOptionLine> = (source) => ({ kind: 'timeout', value: value(source) });
    return read;
  },
  headerLine(nameNode, _colon, text, _end) {
    const name = reader<Name>(nameNode);
    const value = reader<Text>(text);
    const read: Read<HeaderLine> = (source) => ({ name: name(source), value: value(source) });
    return read;
  },

  trigger(_trigger, _colon, raw, _end) {
    const index = raw.parts.length === 0 ? undefined : raw.first;
    const read: Read<StatementLine> = (source) => ({
      kind: 'trigger',
      text: index === undefined ? '' : tokenText(source.line, source.text, index),
    });
    return read;
  },
  step(_step, words, _colon, _block) {
    const name = phraseName(words);
    const read: Read<StatementLine> = (source) => ({ kind: 'step', name: name(source) });
    return read;
  },
  set(_set, placeNode, _to, valueNode, _end) {
    const target = reader<Name>(placeNode);
    const value = reader<Expression>(valueNode);
    const read: Read<StatementLine> = (source) => {
      const written = target(source);
      const { root, fields } = toReference(written.text, written.span);
      return {
        kind: 'set',
        target: { text: root, span: { start: written.span.start, end: written.span.start + root.length } },
        fields,
        value: value(source),
        ...place(source),
      };
    };
    return read;
  },
  add(_add, valueNode, _to, nameNode, _end) {
    const value = reader<Expression>(valueNode);
    const target = reader<Name>(nameNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'add',
      value: value(source),
      target: target(source),
      ...place(source),
    });
    return read;
  },
  log(_log, valueNode, _end) {
    const value = reader<Expression>(valueNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'log', value: value(source), ...place(source) });
    return read;
  },
  if(_if, valueNode, _colon, _block) {
    const condition = reader<Expression>(valueNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'if', condition: condition(source) });
    return read;
  },
  otherwiseIf(_otherwise, _if, valueNode, _colon, _block) {
    const condition = reader<Expression>(valueNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'otherwise if', condition: condition(source) });
    return read;
  },
  otherwise(_otherwise, _colon, _block) {
    const read: Read<StatementLine> = () => ({ kind: 'otherwise' });
    return read;
  },
  forEach(_for, _each, nameNode, _in, sum, _colon, _block) {
    const item = reader<Name>(nameNode);
    const list = reader<Expression>(sum);
    const read: Read<StatementLine> = (source) => ({ kind: 'for each', item: item(source), list: list(source) });
    return read;
  },
  skip: (_skip, _end) => simple('skip'),
  stop: (_stop, _the, _loop, _end) => simple('stop'),
  wait(_wait, durationNode, _end) {
    const duration = reader<Duration>(durationNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'wait', duration: duration(source), ...place(source) });
    return read;
  },
  complete(_complete, pairsNode, _end) {
    const pairs = optional<Pair[]>(pairsNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'complete', pairs: pairs?.(source) ?? [], ...place(source) });
    return read;
  },
  reject(_reject, _with, valueNode, _end) {
    const message = reader<Expression>(valueNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'reject', message: message(source), ...place(source) });
    return read;
  },
  ask(_ask, nameNode, _to, instructionNode, _opening) {
    const service = reader<Name>(nameNode);
    const instruction = reader<{ instruction: Text; pairs: Pair[] }>(instructionNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'ask', service: service(source), ...instruction(source) });
    return read;
  },
  instruction_quoted(text, pairsNode) {
    const instruction = reader<Text>(text);
    const pairs = optional<Pair[]>(pairsNode);
    const read: Read<{ instruction: Text; pairs: Pair[] }> = (source) => ({
      instruction: instruction(source),
      pairs: pairs?.(source) ?? [],
    });
    return read;
  },
  instruction_plain(raw) {
    const index = raw.first;
    const read: Read<{ instruction: Text; pairs: Pair[] }> = (source) => ({
      instruction: freeText(source, tokenSpan(source.line, index)),
      pairs: [],
    });
    return read;
  },
  call(phraseNode, _using, nameNode, locationNode, pairsNode, _opening) {
    const phrase = phraseWords(tokensOf(phraseNode));
    const service = reader<Name>(nameNode);
    const at = optional<Text>(locationNode);
    const pairs = optional<Pair[]>(pairsNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'call',
      phrase: phrase(source),
      service: service(source),
      at: at?.(source),
      pairs: pairs?.(source) ?? [],
    });
    return read;
  },
  location: (_at, text) => reader<Text>(text),

  callOptionLine_result(_save, name, _end) {
    return save('result', name, tokensOf(this));
  },
  callOptionLine_status(_save, name, _end) {
    return save('status', name, tokensOf(this));
  },
  callOptionLine_headers(_save, name, _end) {
    return save('response headers', name, tokensOf(this));
  },
  callOptionLine_confidence(_save, name, _end) {
    return save('confidence', name, tokensOf(this));
  },
  callOptionLine_onFailure(_on, _failure, _colon, _block) {
    const read: Read<CallOptionLine> = () => ({ kind: 'on failure' });
    return read;
  },
  failureLine_retry(_retry, number, _times, waitingNode, _end) {
    const times = reader<NumberLiteral>(number);
    const waiting = optional<{ waiting: Duration; doubling: boolean }>(waitingNode);
    const read: Read<FailureLine> = (source) => ({
      kind: 'retry',
      times: times(source).value,
      waiting: undefined,
      doubling: false,
      ...waiting?.(source),
      ...place(source),
    });
    return read;
  },
  waiting(_waiting, durationNode, doublingNode) {
    const duration = reader<Duration>(durationNode);
    const doubling = doublingNode.parts.length > 0;
    const read: Read<{ waiting: Duration; doubling: boolean }> = (source) => ({ waiting: duration(source), doubling });
    return read;
  },
  failureLine_stillFailing(_words, _colon, _block) {
    const read: Read<FailureLine> = () => ({ kind: 'still failing' });
    return read;
  },
};
