// Semantic actions of lines that open a loop or a block of concurrent statements.
import { tokenSpan } from '../1-layout/line.js';
import type { StatementLine } from './line-node.js';
import { optional, reader } from './node-readers.js';
import type { Read } from './source.js';
import type { Actions } from './syntax-node.js';
import type { Expression, Name, NumberLiteral } from './tree.js';

export const loopActions: Actions = {
  atTheSameTime(_words, _colon, _block) {
    const read: Read<StatementLine> = () => ({ kind: 'at the same time' });
    return read;
  },
  forEach(_for, _each, nameNode, _in, sum, _where, conditionNode, atATimeNode, _colon, _block) {
    const most = optional<NumberLiteral>(atATimeNode);
    const item = reader<Name>(nameNode);
    const list = reader<Expression>(sum);
    const condition = optional<Expression>(conditionNode);
    const read: Read<StatementLine> = (source) => {
      const name = item(source);
      const all = list(source);
      const where = condition?.(source);
      const atATime = most?.(source);
      // The items are filtered before the first round.
      if (where === undefined) return { kind: 'for each', item: name, list: all, atATime };
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
      return { kind: 'for each', item: name, list: open, atATime };
    };
    return read;
  },
  atATime: (_comma, number, _words) => reader<NumberLiteral>(number),
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
