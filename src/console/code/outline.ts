// The text of a workflow in, what each of its lines is to a run out: a statement, the head of a branch, or a line that belongs to one. Made of the
// compiler's lines and tree, without a word about kinds of statements, so that new ones need nothing here.
import { layout } from '../../compiler/1-layout/layout.js';
import type { Line } from '../../compiler/1-layout/line.js';
import { parse } from '../../compiler/2-parse/parse.js';
import type { Statement } from '../../compiler/2-parse/tree.js';
import { statementsIn } from '../../compiler/2-parse/walk.js';

export interface OutlineLine {
  readonly line: number;
  /** The line of the statement that it is or belongs to; a branch's head, such as `otherwise:`, stands for itself. */
  readonly owner: number;
  /** Kind of the statement that begins on this line: a run reaches it by itself. `undefined` for a head of a branch or a part of a statement. */
  readonly kind: Statement['kind'] | undefined;
  /** The first statement inside the block that this line opens: a run that reached it went in. */
  readonly inner: number | undefined;
  /** The last line of everything under this one. */
  readonly last: number;
  /** Blocks around it, from 0. */
  readonly depth: number;
}

/** By line number. Lines that no run ever reaches (`config:`, `services:`, comments) are not in it. */
export type Outline = ReadonlyMap<number, OutlineLine>;

export function outlineOf(text: string): Outline {
  const lines = layout(text);
  const statements = new Map<number, Statement['kind']>();
  for (const { line, kind } of statementsIn(parse(text, lines, []).body)) statements.set(line, kind);
  const outline = new Map<number, OutlineLine>();
  for (const line of lines.lines) addLine(line, undefined, statements, outline, 0);
  return outline;
}

/** Returns the last line of everything under it. */
function addLine(
  line: Line,
  owner: number | undefined,
  statements: ReadonlyMap<number, Statement['kind']>,
  outline: Map<number, OutlineLine>,
  depth: number,
): number {
  const kind = statements.get(line.number);
  const inner = line.children.find((child) => statements.has(child.number))?.number;
  const own = kind !== undefined || (depth > 0 && inner !== undefined) ? line.number : owner;
  let last = line.number;
  for (const child of line.children) last = addLine(child, own, statements, outline, depth + 1);
  if (own !== undefined) {
    outline.set(line.number, { line: line.number, owner: own, kind, inner, last, depth });
  }
  return last;
}
