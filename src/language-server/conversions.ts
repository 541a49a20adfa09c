// Turns what the language service says, in offsets, into what the protocol says, in lines and columns.
import type { CompletionItem, Diagnostic, DocumentSymbol, Position, Range, TextEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { withoutMark } from '../compiler/decode.js';
import type { Diagnostic as Found, Span } from '../compiler/diagnostics/diagnostic.js';
import { didYouMean } from '../compiler/diagnostics/suggest.js';
import type { TextEdit as OffsetEdit } from '../compiler/diagnostics/working-fixes.js';
import { type ColouredSpan, colourTypes } from '../language-service/colours.js';
import type { Proposals } from '../language-service/complete.js';
import type { OutlineEntry } from '../language-service/outline.js';

/** A text as it was at one moment, by the offsets that the language service knows. */
export interface Places {
  readonly uri: string;
  readonly version: number;
  readonly positionAt: (offset: number) => Position;
  readonly offsetAt: (position: Position) => number;
}

/** A byte order mark is a character for the client, and none for the language service. */
export function placesIn(document: TextDocument): Places {
  const { uri, version } = document;
  const written = document.getText();
  const mark = written.length - withoutMark(written).length;
  return {
    uri,
    version,
    positionAt: (offset) => document.positionAt(offset + mark),
    offsetAt: (position) => Math.max(0, document.offsetAt(position) - mark),
  };
}

export const editorRange = (document: Places, { start, end }: Span): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

export const editsOf = (document: Places, edits: readonly OffsetEdit[]): TextEdit[] =>
  edits.map(({ span, newText }) => ({ range: editorRange(document, span), newText }));

// The numbers of the protocol, whose package is loaded only by a server.
const severities = { error: 1, warning: 2 } as const;
const symbolKinds = { section: 3, step: 12, declaration: 14 } as const;
const completionKinds = { keyword: 14, variable: 6, service: 7, table: 22, field: 5, value: 12 } as const;

export function diagnosticOf(document: Places, found: Found): Diagnostic {
  const { code, severity, message, suggestion, hint, span } = found;
  const parts = [message, ...(suggestion === undefined ? [] : [didYouMean(suggestion)]), ...(hint === undefined ? [] : [hint])];
  // An empty range would not be underlined.
  const end = span.end > span.start ? span.end : span.start + 1;
  return {
    range: editorRange(document, { start: span.start, end }),
    severity: severities[severity],
    code,
    source: 'wf',
    message: parts.join('\n\n'),
  };
}

export const symbolOf = (document: Places, { name, kind, span, nameSpan, children }: OutlineEntry): DocumentSymbol => ({
  name,
  kind: symbolKinds[kind],
  range: editorRange(document, span),
  selectionRange: editorRange(document, nameSpan),
  children: children.map((child) => symbolOf(document, child)),
});

export function completionItems(document: Places, { start, items }: Proposals, end: number): CompletionItem[] {
  const range = editorRange(document, { start, end });
  return items.map(({ label, kind, detail }) => ({
    label,
    kind: completionKinds[kind],
    textEdit: { range, newText: label },
    // Names first: there are fewer of them.
    sortText: `${kind === 'keyword' ? 1 : 0}${label}`,
    ...(detail === undefined ? {} : { detail }),
  }));
}

/** Five numbers for each: lines and columns since the last one, length, type, and no modifiers. */
export function tokenData(document: Places, colours: readonly ColouredSpan[]): number[] {
  const data: number[] = [];
  let line = 0;
  let column = 0;
  for (const { span, type } of colours) {
    const at = document.positionAt(span.start);
    data.push(
      at.line - line,
      at.line === line ? at.character - column : at.character,
      span.end - span.start,
      colourTypes.indexOf(type),
      0,
    );
    line = at.line;
    column = at.character;
  }
  return data;
}

/** The part of a range that there is. */
export const rangeWithin = (document: TextDocument, { start, end }: Range): Range => ({
  start: document.positionAt(document.offsetAt(start)),
  end: document.positionAt(document.offsetAt(end)),
});

/** Where a line is after a change; nowhere if it is one of those that changed. */
export function movedLines(before: string, after: string): (line: number) => number[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const shift = now.length - old.length;
  return (line) => (line <= start ? [line] : line > old.length - end ? [line + shift] : []);
}

/** One edit for the lines between the first and the last that differ, so that the cursor stays where it is. */
export function editOfLines(before: string, after: string): OffsetEdit[] {
  if (before === after) return [];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  start = before.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [{ span: { start, end: before.length - end }, newText: after.slice(start, after.length - end) }];
}

/** The edit of the lines that a part of the text touches. Formatting keeps all lines that are not empty, in their order. */
export function editOfPart(before: string, after: string, part: Span): OffsetEdit[] {
  const [old, now] = [filledLines(before), filledLines(after)];
  const isTouched = ({ start, end }: Span): boolean => end >= part.start && start < Math.max(part.end, part.start + 1);
  const first = old.findIndex(isTouched);
  const last = first + old.filter(isTouched).length - 1;
  const [from, to, newFrom, newTo] = [old[first], old[last], now[first], now[last]];
  if (!from || !to || !newFrom || !newTo || old.length !== now.length) return [];
  const [span, newText] = [{ start: from.start, end: to.end }, after.slice(newFrom.start, newTo.end)];
  return before.slice(span.start, span.end) === newText ? [] : [{ span, newText }];
}

/** Without their line ends. */
function filledLines(text: string): Span[] {
  const lines: Span[] = [];
  for (let start = 0, next = 0; next !== -1; start = next + 1) {
    next = text.indexOf('\n', start);
    const line = text.slice(start, next === -1 ? undefined : next).replace(/\r$/, '');
    if (line.trim() !== '') lines.push({ start, end: start + line.length });
  }
  return lines;
}
