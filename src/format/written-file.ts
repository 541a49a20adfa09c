// Lists what is written in a file, in the terms that formatting must keep: tokens, depths, long texts and comments.
import { layout } from '../compiler/1-layout/layout.js';
import { type Line, tokenText } from '../compiler/1-layout/line.js';
import { lineAt, measure } from '../compiler/1-layout/measure.js';
import { linesOf, readLines } from '../compiler/2-parse/read-lines.js';

/** A line with tokens, with the text lines under it if it opens a long text. */
interface Statement {
  readonly kind: 'line';
  readonly line: Line;
  /** The comment after the tokens; empty if there is none. */
  readonly comment: string;
}

interface Comment {
  readonly kind: 'comment';
  readonly text: string;
  /** Columns of indentation. */
  readonly width: number;
}

/** One blank line or more. */
export interface Blank {
  readonly kind: 'blank';
}

export type Item = Statement | Comment | Blank;

/** The lines of a file that the layout pass accepts, in their order. */
export function itemsOf(text: string): Item[] {
  const items: Item[] = [];
  const lines = new Map<number, Line>();
  for (const line of linesOf(readLines(layout(text).tokens))) lines.set(line.number, line);
  let number = 0;
  for (let start = 0; start < text.length; ) {
    number++;
    const { end, next } = lineAt(text, start);
    const line = lines.get(number);
    if (line === undefined) items.push(withoutTokens(text, start, end));
    else items.push({ kind: 'line', line, comment: text.slice(line.end, end).trim() });
    start = next;
    for (let left = line?.pieces?.length ?? 0; left > 0; left--, number++) start = lineAt(text, start).next;
  }
  return items;
}

function withoutTokens(text: string, start: number, end: number): Item {
  const { width, end: from } = measure(text, start, end);
  return from === end ? { kind: 'blank' } : { kind: 'comment', text: text.slice(from, end).trimEnd(), width };
}

/** Everything in a file that has a meaning, to somebody or to wf: two files are the same if this is. */
export function contentOf(text: string): string {
  const content: unknown[] = itemsOf(text).flatMap((item): unknown[] => {
    if (item.kind === 'blank') return [];
    if (item.kind === 'comment') return [item.text];
    const { line, comment } = item;
    const tokens = Array.from(line.shape, (_, index) => (isLongText(line, index) ? '' : tokenText(line, text, index)));
    const pieces = line.pieces?.map(({ start, end }) => text.slice(start, end)) ?? [];
    return [{ depth: line.depth, shape: line.shape, tokens, pieces, comment }];
  });
  return JSON.stringify(content);
}

/** Whether the token at `index` stands for the text lines under the line. */
export const isLongText = (line: Line, index: number): boolean => line.pieces !== undefined && index === line.shape.length - 1;
