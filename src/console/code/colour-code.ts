// Splits the lines of a workflow into coloured pieces. The tokens are the compiler's, so a new keyword is coloured automatically. The
// syntax tree shows which words are the author's own names.
import { tokenClass } from '../../compiler/1-layout/alphabet.js';
import { layout } from '../../compiler/1-layout/layout.js';
import type { TokenLine } from '../../compiler/1-layout/line.js';
import { isSpace } from '../../compiler/1-layout/scan-line.js';
import { parse } from '../../compiler/2-parse/parse.js';
import type { Span } from '../../compiler/diagnostics/diagnostic.js';

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
