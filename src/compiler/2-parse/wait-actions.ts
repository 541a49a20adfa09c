// Semantic actions for waits: until a moment, for a message, and the lines under them.

import type { MessageOptionLine, StatementLine } from './line-node.js';
import { optional, reader, tokensOf } from './node-readers.js';
import { place, type Read, spanOf } from './source.js';
import type { Actions } from './syntax-node.js';
import type { Duration, Expression, Name, Pair } from './tree.js';

export const waitActions: Actions = {
  waitUntil(_wait, _until, valueNode, _end) {
    const moment = reader<Expression>(valueNode);
    const read: Read<StatementLine> = (source) => ({ kind: 'wait until', moment: moment(source), ...place(source) });
    return read;
  },
  waitFor(_wait, _for, nameNode, pairsNode, atMostNode, _opening) {
    const message = reader<Name>(nameNode);
    const pairs = optional<Pair[]>(pairsNode);
    const atMost = optional<Duration>(atMostNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'wait for',
      message: message(source),
      pairs: pairs?.(source) ?? [],
      atMost: atMost?.(source),
    });
    return read;
  },
  atMost: (_words, durationNode) => reader<Duration>(durationNode),
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
};
