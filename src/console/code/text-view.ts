// Prepares the text of a workflow for display: its colours, and the role of each line in a run. Built from the compiler's lines and tree
// without naming kinds of statements, so new kinds need nothing here.

import { layout } from '../../compiler/1-layout/layout.js';
import type { Line } from '../../compiler/1-layout/line.js';
import { parse } from '../../compiler/2-parse/parse.js';
import { readLines } from '../../compiler/2-parse/read-lines.js';
import type { Statement } from '../../compiler/2-parse/tree.js';
import { statementsIn } from '../../compiler/2-parse/walk.js';
import { type CodePiece, colourCode } from './colour-code.js';

export interface TextView {
  readonly lines: readonly (readonly CodePiece[])[];
  readonly outline: Outline;
}

const MOST_KEPT = 8;

export function createTextViews(): (text: string) => TextView {
  const kept = new Map<string, TextView>();
  return (text) => {
    const view = kept.get(text) ?? { lines: colourCode(text), outline: outlineOf(text) };
    kept.delete(text);
    kept.set(text, view);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return view;
  };
}

export interface OutlineLine {
  readonly line: number;
  /** Line of the statement that it is or belongs to. The head of a branch, such as `otherwise:`, is its own. */
  readonly owner: number;
  /** Kind of the statement that starts on this line; `undefined` for the head of a branch and for part of a statement. */
  readonly kind: Statement['kind'] | undefined;
  /** First statement of the block that this line opens. A run that reached it took the branch. */
  readonly inner: number | undefined;
  /** Last line of everything nested below this one. */
  readonly last: number;
  /** Nesting depth, from 0. */
  readonly depth: number;
}

/** By line number. Omits lines that never run (`config:`, `services:`, comments). */
export type Outline = ReadonlyMap<number, OutlineLine>;

export function outlineOf(text: string): Outline {
  const lines = layout(text);
  const statements = new Map<number, Statement['kind']>();
  for (const { line, kind } of statementsIn(parse(text, lines, []).body)) statements.set(line, kind);
  const outline = new Map<number, OutlineLine>();
  for (const line of readLines(lines.tokens)) addLine(line, undefined, statements, outline, 0);
  return outline;
}

/** Returns the last line of everything nested below it. */
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
