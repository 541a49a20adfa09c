// Semantic actions of statements.
import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import { tokenSpan, tokenText } from '../1-layout/line.js';
import type { FailureLine, StatementLine } from './line-node.js';
import { optional, reader, tokensOf } from './node-readers.js';
import { phraseName, phraseWords } from './phrase-name.js';
import { place, type Read } from './source.js';
import type { Actions } from './syntax-node.js';
import { freeText, keysOf, longText } from './text.js';
import type { Duration, Expression, Name, NumberLiteral, Pair, Text } from './tree.js';

const simple =
  (kind: 'skip' | 'stop'): Read<StatementLine> =>
  (source) => ({ kind, ...place(source) });

export const statementActions: Actions = {
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
      const { text, span } = target(source);
      const root = /^[^.]*/.exec(text)?.[0] ?? text;
      return {
        kind: 'set',
        target: { text: root, span: { start: span.start, end: span.start + root.length } },
        fields: keysOf(text.slice(root.length), span.start + root.length),
        pathSpan: span,
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
  skip: (_skip, _end) => simple('skip'),
  stop: (_stop, _the, _loop, _end) => simple('stop'),
  wait(_wait, amountNode, unitNode, _end) {
    const amount = reader<Expression>(amountNode);
    const unit = reader<DateUnit>(unitNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'wait',
      amount: amount(source),
      unit: unit(source),
      ...place(source),
    });
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
  longText: (_text, _colon, lines) => reader<Text>(lines),
  lines(node) {
    const index = node.first;
    const read: Read<Text> = (source) => longText(source, tokenSpan(source.line, index));
    return read;
  },
  instruction_long(_colon, lines) {
    const instruction = reader<Text>(lines);
    const read: Read<{ instruction: Text; pairs: Pair[] }> = (source) => ({ instruction: instruction(source), pairs: [] });
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
  call(phraseNode, _using, nameNode, locationNode, sqlNode, pairsNode, conditionsNode, _opening) {
    const phrase = phraseWords(tokensOf(phraseNode));
    const service = reader<Name>(nameNode);
    const at = optional<Text>(locationNode);
    const running = optional<Text>(sqlNode);
    const pairs = optional<Pair[]>(pairsNode);
    const where = optional<Pair[]>(conditionsNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'call',
      phrase: phrase(source),
      service: service(source),
      at: at?.(source),
      running: running?.(source),
      pairs: pairs?.(source) ?? [],
      where: where?.(source) ?? [],
    });
    return read;
  },
  location: (_at, text) => reader<Text>(text),
  sql: (_running, text) => reader<Text>(text),

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
