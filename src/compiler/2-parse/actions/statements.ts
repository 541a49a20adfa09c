// Semantic actions for statements and the lines under waits and calls.
import type { Node } from 'ohm-js';
import type { DateUnit } from '../../../../runtime/dates/date-unit.js';
import { tokenSpan, tokenText } from '../../1-layout/line.js';
import type { AnswerLine, CallOptionLine, FailureLine, MessageOptionLine, StatementLine } from '../line-node.js';
import {
  type Actions,
  firstToken,
  optional,
  phraseName,
  phraseWords,
  place,
  type Read,
  reader,
  spanOf,
  type Tokens,
  tokensOf,
} from '../source.js';
import { freeText, keysOf, longText } from '../text.js';
import type { AmountOfTime, CallHeader, ClockTime, Expression, Name, NumberLiteral, Pair, Saved, Text } from '../tree.js';

const simple =
  (kind: 'skip' | 'stop'): Read<StatementLine> =>
  (source) => ({ kind, ...place(source) });

export const statementActions: Actions = {
  trigger(_trigger, _colon, raw, _end) {
    const index = raw.numChildren === 0 ? undefined : firstToken(raw);
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
        fields: root === text ? [] : keysOf(text.slice(root.length + 1), span.start + root.length + 1),
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
  complete(_complete, pairsNode, _opening) {
    const pairs = optional<Pair[]>(pairsNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'complete', pairs: pairs?.(source) ?? [] });
    return read;
  },
  answerLine_status(nameNode, numberNode, _end) {
    const name = reader<Name>(nameNode);
    const value = reader<NumberLiteral>(numberNode);
    const read: Read<AnswerLine> = (source) => ({ kind: 'status', word: name(source).text, value: value(source) });
    return read;
  },
  answerLine_text(_words, valueNode, _end) {
    const value = reader<Expression>(valueNode);
    const read: Read<AnswerLine> = (source) => ({ kind: 'text', value: value(source) });
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
    const index = firstToken(node);
    const read: Read<Text> = (source) => longText(source, tokenSpan(source.line, index));
    return read;
  },
  instruction_long(_colon, lines) {
    const instruction = reader<Text>(lines);
    const read: Read<{ instruction: Text; pairs: Pair[] }> = (source) => ({ instruction: instruction(source), pairs: [] });
    return read;
  },
  instruction_plain(raw) {
    const index = firstToken(raw);
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
    const waiting = optional<{ waiting: AmountOfTime; doubling: boolean }>(waitingNode);
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
    const duration = reader<AmountOfTime>(durationNode);
    const doubling = doublingNode.numChildren > 0;
    const read: Read<{ waiting: AmountOfTime; doubling: boolean }> = (source) => ({ waiting: duration(source), doubling });
    return read;
  },
  failureLine_stillFailing(_words, _colon, _block) {
    const read: Read<FailureLine> = () => ({ kind: 'still failing' });
    return read;
  },
};

/** Semantic actions of lines that open a loop or a block of concurrent statements. */
export const loopActions: Actions = {
  atTheSameTime(_words, untilNode, _colon, _block) {
    const until = optional<Expression>(untilNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'at the same time', until: until?.(source) });
    return read;
  },
  untilDone: (_comma, _until, count) => reader<Expression>(count),
  doneCount_one(words) {
    const tokens = tokensOf(words);
    const read: Read<Expression> = (source) => ({ kind: 'number', value: 1, written: 'one', span: spanOf(source, tokens) });
    return read;
  },
  doneCount_several: (count, _words) => reader<Expression>(count),
  forEach(_for, _each, nameNode, _in, sum, _where, conditionNode, atATimeNode, _colon, _block) {
    const together = optional<{ atATime: NumberLiteral | 'all'; until: Expression | undefined }>(atATimeNode);
    const item = reader<Name>(nameNode);
    const list = reader<Expression>(sum);
    const condition = optional<Expression>(conditionNode);
    const read: Read<StatementLine> = (source) => {
      const name = item(source);
      const all = list(source);
      const where = condition?.(source);
      const { atATime, until } = together?.(source) ?? { atATime: undefined, until: undefined };
      // The items are filtered before the first round.
      if (where === undefined) return { kind: 'for each', item: name, list: all, atATime, until };
      // It parses like `each line in … where …`, which starts with the second word.
      const span = { start: tokenSpan(source.line, 1).start, end: where.span.end };
      const open = {
        kind: 'iteration',
        form: 'filter',
        item: name,
        list: all,
        value: undefined,
        condition: where,
        span,
      } as const;
      return { kind: 'for each', item: name, list: open, atATime, until };
    };
    return read;
  },
  atATime_some(_comma, number, _words, untilNode) {
    const most = reader<NumberLiteral>(number);
    const until = optional<Expression>(untilNode);
    const read: Read<{ atATime: NumberLiteral; until: Expression | undefined }> = (source) => ({
      atATime: most(source),
      until: until?.(source),
    });
    return read;
  },
  atATime_all(_comma, _words, untilNode) {
    const until = optional<Expression>(untilNode);
    const read: Read<{ atATime: 'all'; until: Expression | undefined }> = (source) => ({
      atATime: 'all',
      until: until?.(source),
    });
    return read;
  },
  forEachField(_for, _each, nameNode, _and, valueNode, _in, sum, _colon, _block) {
    const name = reader<Name>(nameNode);
    const value = reader<Name>(valueNode);
    const record = reader<Expression>(sum);
    const read: Read<StatementLine> = (source) => ({
      kind: 'for each field',
      name: name(source),
      value: value(source),
      record: record(source),
    });
    return read;
  },
  repeat_times(_words, operand, _times, _colon, _block) {
    const most = reader<Expression>(operand);
    const read: Read<StatementLine> = (source) => ({ kind: 'repeat', until: undefined, most: most(source) });
    return read;
  },
  repeat_until(_words, condition, _comma, _most, operand, _times, _colon, _block) {
    const until = reader<Expression>(condition);
    const most = reader<Expression>(operand);
    const read: Read<StatementLine> = (source) => ({ kind: 'repeat', until: until(source), most: most(source) });
    return read;
  },
};

/** Semantic actions for waits: until a moment, for a message, and the lines under them. */
export const waitActions: Actions = {
  waitUntil_clock(_wait, _until, clockNode, _end) {
    const at = reader<ClockTime>(clockNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'wait until',
      moment: undefined,
      at: at(source),
      ...place(source),
    });
    return read;
  },
  waitUntil_tomorrow(_wait, _until, tomorrow, _at, clockNode, _end) {
    const tokens = tokensOf(tomorrow);
    const at = reader<ClockTime>(clockNode);
    const read: Read<StatementLine> = (source) => {
      const span = spanOf(source, tokens);
      const date = { kind: 'reference', root: 'today', fields: [], span } as const;
      const amount = { kind: 'number', value: 1, written: '1', span } as const;
      const moment = { kind: 'shift', operator: 'plus', date, amount, unit: 'days', span } as const;
      return { kind: 'wait until', moment, at: at(source), ...place(source) };
    };
    return read;
  },
  waitUntil_moment(_wait, _until, valueNode, atNode, _end) {
    const moment = reader<Expression>(valueNode);
    const at = optional<ClockTime>(atNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'wait until',
      moment: moment(source),
      at: at?.(source),
      ...place(source),
    });
    return read;
  },
  atClock: (_at, clock) => reader<ClockTime>(clock),
  clockTime(hoursNode, _colon, minutesNode) {
    const tokens = tokensOf(this);
    const [hours, minutes] = [reader<NumberLiteral>(hoursNode), reader<NumberLiteral>(minutesNode)];
    const read: Read<ClockTime> = (source) => ({
      hours: hours(source).value,
      // `8:5` is most likely not five past eight.
      minutes: minutes(source).written.length === 2 ? minutes(source).value : Number.NaN,
      span: spanOf(source, tokens),
    });
    return read;
  },
  waitFor(_wait, _for, nameNode, pairsNode, atMostNode, _opening) {
    const message = reader<Name>(nameNode);
    const pairs = optional<Pair[]>(pairsNode);
    const atMost = optional<AmountOfTime>(atMostNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'wait for',
      message: message(source),
      pairs: pairs?.(source) ?? [],
      atMost: atMost?.(source),
    });
    return read;
  },
  atMost: (_words, durationNode) => reader<AmountOfTime>(durationNode),
  messageOptionLine_save(_save, nameNode, _end) {
    const name = reader<Name>(nameNode);
    const tokens = tokensOf(this);
    const read: Read<MessageOptionLine> = (source) => ({ kind: 'save', name: name(source), span: spanOf(source, tokens) });
    return read;
  },
  messageOptionLine_silence(_words, _colon, _block) {
    const read: Read<MessageOptionLine> = () => ({ kind: 'silence' });
    return read;
  },
  messageOptionLine_success(_on, _success, _colon, _block) {
    const read: Read<MessageOptionLine> = () => ({ kind: 'success' });
    return read;
  },
};

function save(what: Saved, node: Node, tokens: Tokens): Read<CallOptionLine> {
  const name = reader<Name>(node);
  return (source) => ({ kind: 'save', what, name: name(source), span: spanOf(source, tokens) });
}

export const callOptionActions: Actions = {
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
  callOptionLine_comment(_save, name, _end) {
    return save('comment', name, tokensOf(this));
  },
  callOptionLine_person(_save, name, _end) {
    return save('person', name, tokensOf(this));
  },
  callOptionLine_addressed(_words, valueNode, _end) {
    const tokens = tokensOf(this);
    const value = reader<Expression>(valueNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'addressed', value: value(source), span: spanOf(source, tokens) });
    return read;
  },
  callOptionLine_choices(_words, itemsNode, _end) {
    const tokens = tokensOf(this);
    const items = reader<Expression[]>(itemsNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'choices', items: items(source), span: spanOf(source, tokens) });
    return read;
  },
  callOptionLine_within(_within, durationNode, _end) {
    const duration = reader<AmountOfTime>(durationNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'within', duration: duration(source) });
    return read;
  },
  callOptionLine_remind(_words, durationNode, _end) {
    const duration = reader<AmountOfTime>(durationNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'remind', duration: duration(source) });
    return read;
  },
  callOptionLine_timeout(_with, _timeout, durationNode, _end) {
    const duration = reader<AmountOfTime>(durationNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'timeout', duration: duration(source) });
    return read;
  },
  callOptionLine_onSuccess(_on, _success, _colon, _block) {
    const read: Read<CallOptionLine> = () => ({ kind: 'on success' });
    return read;
  },
  callOptionLine_callHeaders(_with, _headers, _colon, _block) {
    const read: Read<CallOptionLine> = () => ({ kind: 'headers' });
    return read;
  },
  callHeaderLine(nameNode, _colon, valueNode, _end) {
    const name = reader<Name>(nameNode);
    const value = reader<Expression>(valueNode);
    const read: Read<CallHeader> = (source) => ({ name: name(source), value: value(source) });
    return read;
  },
  callOptionLine_body(_send, valueNode, _as, _end) {
    const tokens = tokensOf(this);
    const value = reader<Expression>(valueNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'body', value: value(source), span: spanOf(source, tokens) });
    return read;
  },
  callOptionLine_sentAs(_sent, nameNode, _end) {
    const method = reader<Name>(nameNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'sent as', method: method(source) });
    return read;
  },
  callOptionLine_atMostOnce(_words, _end) {
    const read: Read<CallOptionLine> = () => ({ kind: 'at most once' });
    return read;
  },
  callOptionLine_onFailure(_on, _failure, _colon, _block) {
    const read: Read<CallOptionLine> = () => ({ kind: 'on failure' });
    return read;
  },
};
