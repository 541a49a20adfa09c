// Prepares the text of a workflow for display: its colours, and the role of each line in a run. Built from the compiler's tokens and tree
// without naming kinds of statements, so new kinds need nothing here.
import { tokenClass } from '../../compiler/1-layout/alphabet.js';
import { layout } from '../../compiler/1-layout/layout.js';
import type { Line, TokenLine } from '../../compiler/1-layout/line.js';
import { isSpace } from '../../compiler/1-layout/scan-line.js';
import { parse } from '../../compiler/2-parse/parse.js';
import { readLines } from '../../compiler/2-parse/read-lines.js';
import type { Statement } from '../../compiler/2-parse/tree.js';
import { statementsIn } from '../../compiler/2-parse/walk.js';
import type { Span } from '../../compiler/diagnostics/diagnostic.js';

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

export type CodeColour = 'word' | 'text' | 'number' | 'comment' | 'value' | 'plain';

/** A piece of a line. `value` is a placeholder inside text, braces included. */
export interface CodePiece {
  readonly colour: CodeColour;
  readonly text: string;
}

interface ColouredSpan extends Span {
  readonly colour: CodeColour;
}

/** One list of pieces per line. Joined, they are the text again. Accepts any text, even if it does not compile. */
export function colourCode(text: string): readonly (readonly CodePiece[])[] {
  const lines = layout(text);
  const names = new Map<number, number>();
  collectNames(parse(text, lines, []), names);
  const spans: ColouredSpan[] = [];
  for (const token of lines.tokens) if (typeof token === 'object') collectTokens(text, token, names, spans);
  return cutIntoLines(text, spans);
}

const colourOf = (character: string): CodeColour => {
  if (character === tokenClass.text || character === tokenClass.raw) return 'text';
  if (character === tokenClass.number) return 'number';
  if (character === tokenClass.name || character === tokenClass.path) return 'plain';
  return character.charCodeAt(0) < 128 ? 'plain' : 'word';
};

function collectTokens(
  text: string,
  { shape, offsets }: TokenLine,
  names: ReadonlyMap<number, number>,
  spans: ColouredSpan[],
): void {
  /** Where the name that the last tokens belong to ends: names of steps have several words. */
  let nameEnd = 0;
  for (let index = 0; index < shape.length; index++) {
    const start = offsets[2 * index] ?? 0;
    const end = offsets[2 * index + 1] ?? start;
    const colour = colourOf(shape.charAt(index));
    nameEnd = Math.max(nameEnd, names.get(start) ?? 0);
    if (colour === 'text') collectText(text, start, end, spans);
    else if (colour !== 'plain' && !(colour === 'word' && start < nameEnd)) spans.push({ start, end, colour });
  }
}

const PLACEHOLDER = /\{[^{}"]*\}/g;

function collectText(text: string, start: number, end: number, spans: ColouredSpan[]): void {
  let at = start;
  for (const { 0: found, index } of text.slice(start, end).matchAll(PLACEHOLDER)) {
    const from = start + index;
    if (from > at) spans.push({ start: at, end: from, colour: 'text' });
    at = from + found.length;
    spans.push({ start: from, end: at, colour: 'value' });
  }
  if (end > at) spans.push({ start: at, end, colour: 'text' });
}

/** Where names and references begin and end. Visits every node of the tree, of any kind. */
function collectNames(node: unknown, names: Map<number, number>): void {
  const open: unknown[] = [node];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isName(next)) names.set(next.span.start, next.span.end);
    else open.push(...Object.values(next));
  }
}

const isName = (node: object): node is { readonly span: Span } =>
  'span' in node && ('root' in node || ('text' in node && typeof node.text === 'string'));

function cutIntoLines(text: string, spans: readonly ColouredSpan[]): CodePiece[][] {
  const lines: CodePiece[][] = [];
  let next = 0;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const stop = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
    const pieces: CodePiece[] = [];
    let at = start;
    for (let span = spans[next]; span !== undefined && span.start < stop; span = spans[++next]) {
      if (span.start > at) pieces.push({ colour: 'plain', text: text.slice(at, span.start) });
      at = Math.min(span.end, stop);
      pieces.push({ colour: span.colour, text: text.slice(span.start, at) });
    }
    pieces.push(...restOfLine(text, at, stop, pieces.length === 0));
    lines.push(pieces);
    start = end + 1;
  }
  // A final line break does not start another line.
  if (lines.length > 1 && text.endsWith('\n')) lines.pop();
  return lines;
}

/** The rest after the last token: punctuation, names, perhaps a comment. */
function restOfLine(text: string, start: number, stop: number, isWholeLine: boolean): CodePiece[] {
  let comment = -1;
  for (let at = start; at < stop && comment === -1; at++) {
    if (text.charCodeAt(at) === 0x23 && (at === start ? isWholeLine : isSpace(text.charCodeAt(at - 1)))) comment = at;
  }
  if (comment === -1) comment = stop;
  return [
    ...(comment > start ? [{ colour: 'plain' as const, text: text.slice(start, comment) }] : []),
    ...(stop > comment ? [{ colour: 'comment' as const, text: text.slice(comment, stop) }] : []),
  ];
}
