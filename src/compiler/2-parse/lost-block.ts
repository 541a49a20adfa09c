// A statement that is indented one level too deep has lost its block: the lines of the block are now beside it.
import { tokenClass, wordCharacter } from '../1-layout/alphabet.js';
import type { Line } from '../1-layout/line.js';
import { fits, opens } from './match-line.js';

const CALL = new RegExp(`^${wordCharacter('ask')}|${wordCharacter('using')}`);

/** Whether the line opens a block but has none. @param queue the lines after it, last first */
export const hasLostBlock = (line: Line, queue: readonly Line[]): boolean =>
  line.fault === undefined &&
  line.children.length === 0 &&
  line.shape.endsWith(':') &&
  queue.length > 0 &&
  fits('statementLine', line.shape + tokenClass.indent);

/** The line with its block, which is taken from the queue. The block of a call is its options. */
export function withLostBlock(line: Line, queue: Line[]): Line {
  if (line.children.length > 0) return line;
  const belongs = (next: Line): boolean =>
    line.shape.endsWith(':') || (CALL.test(line.shape) && fits('callOptionLine', next.shape + opens(next.children)));
  const children: Line[] = [];
  for (let next = queue.at(-1); next !== undefined && belongs(next); next = queue.at(-1)) {
    children.push(next);
    queue.pop();
  }
  return children.length === 0 ? line : { ...line, children };
}
