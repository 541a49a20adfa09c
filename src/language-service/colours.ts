// Classifies each word of a file for semantic highlighting: keywords, variables, inputs, services, texts, comments.
import { tokenClass, wordCharacter, wordOf } from '../compiler/1-layout/alphabet.js';
import { type Line, lineAt, tokenSpan } from '../compiler/1-layout/line.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import type { WfDocument } from './document.js';
import type { Occurrence } from './names.js';

export const colourTypes = ['keyword', 'variable', 'parameter', 'class', 'property', 'string', 'number', 'comment'] as const;

export interface ColouredSpan {
  /** Never more than one line. */
  readonly span: Span;
  readonly type: (typeof colourTypes)[number];
}

const ofKind = { variable: 'variable', item: 'variable', service: 'class', table: 'class', input: 'parameter' } as const;

/** By position; no two overlap. */
export function coloursOf(document: WfDocument): ColouredSpan[] {
  const { text, byNumber, names } = document;
  const colours: ColouredSpan[] = [];
  const named = new NameCursor(names.occurrences);
  let number = 0;
  for (let start = 0; start < text.length; ) {
    number++;
    const { end, next } = lineAt(text, start);
    const line = byNumber.get(number);
    const from =
      line === undefined ? start + (text.slice(start, end).length - text.slice(start, end).trimStart().length) : line.end;
    if (line !== undefined) ofLine(line, named, colours, text);
    const rest = text.slice(from, end);
    const comment = from + rest.search(/\S/);
    // A line with a fault ends where it could no longer be read.
    if (rest.trim().startsWith('#'))
      colours.push({ span: { start: comment, end: from + rest.trimEnd().length }, type: 'comment' });
    start = next;
    for (const piece of line?.pieces ?? []) {
      split(piece, 'string', named, colours);
      start = lineAt(text, start).next;
      number++;
    }
  }
  return colours.filter(({ span }, index) => span.end > span.start && span.start >= (colours[index - 1]?.span.end ?? 0));
}

const STEP = wordCharacter('step') ?? '';
const USING = wordCharacter('using') ?? '';

function ofLine(line: Line, named: NameCursor, colours: ColouredSpan[], text: string): void {
  // The words of a step and of a call are for people.
  const free = line.shape.startsWith(STEP) ? line.shape.length : line.shape.indexOf(USING);
  for (let index = 0; index < line.shape.length; index++) {
    const token = line.shape.charAt(index);
    if (token === tokenClass.lines) continue;
    const span = tokenSpan(line, index);
    if (span.end > line.end || text.slice(span.start, span.end).includes('\n')) continue;
    if (token === tokenClass.text || token === tokenClass.raw) split(span, 'string', named, colours);
    else if (token === tokenClass.number) colours.push({ span, type: 'number' });
    else if (wordOf(token) !== undefined) split(span, index > 0 && index < free ? 'property' : 'keyword', named, colours);
    else if (token === tokenClass.name || token === tokenClass.path) split(span, 'property', named, colours);
  }
}

/** A stretch of one colour, with the names inside of it in theirs. */
function split(span: Span, type: ColouredSpan['type'], named: NameCursor, colours: ColouredSpan[]): void {
  let at = span.start;
  for (const { span: inner, kind } of named.inside(span)) {
    if (inner.start < at) continue;
    if (inner.start > at) colours.push({ span: { start: at, end: inner.start }, type });
    colours.push({ span: inner, type: ofKind[kind] });
    at = inner.end;
  }
  if (at < span.end) colours.push({ span: { start: at, end: span.end }, type });
}

/** Goes through the names of a file once, as the spans do. */
class NameCursor {
  readonly #names: readonly Occurrence[];
  #next = 0;

  constructor(names: readonly Occurrence[]) {
    this.#names = names;
  }

  inside({ start, end }: Span): Occurrence[] {
    while ((this.#names[this.#next]?.span.start ?? Number.POSITIVE_INFINITY) < start) this.#next++;
    const found: Occurrence[] = [];
    for (let index = this.#next; ; index++) {
      const name = this.#names[index];
      if (name === undefined || name.span.start >= end) return found;
      if (name.span.end <= end) found.push(name);
    }
  }
}
