// Turns what the language service says, in offsets, into what the protocol says, in lines and columns.
import type { CompletionItem, Diagnostic, DocumentSymbol, Range, TextEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic as Found, Span } from '../compiler/diagnostics/diagnostic.js';
import { didYouMean } from '../compiler/diagnostics/suggest.js';
import type { TextEdit as OffsetEdit } from '../compiler/diagnostics/text-edit.js';
import { type ColouredSpan, colourTypes } from '../language-service/colours.js';
import type { Proposals } from '../language-service/complete.js';
import type { OutlineEntry } from '../language-service/outline.js';

export const editorRange = (document: TextDocument, { start, end }: Span): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

export const editsOf = (document: TextDocument, edits: readonly OffsetEdit[]): TextEdit[] =>
  edits.map(({ span, newText }) => ({ range: editorRange(document, span), newText }));

// The numbers of the protocol, whose package is loaded only by a server.
const severities = { error: 1, warning: 2 } as const;
const symbolKinds = { section: 3, step: 12, declaration: 14 } as const;
const completionKinds = { keyword: 14, variable: 6, service: 7, table: 22, field: 5, value: 12 } as const;

export function diagnosticOf(document: TextDocument, found: Found): Diagnostic {
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

export const symbolOf = (document: TextDocument, { name, kind, span, nameSpan, children }: OutlineEntry): DocumentSymbol => ({
  name,
  kind: symbolKinds[kind],
  range: editorRange(document, span),
  selectionRange: editorRange(document, nameSpan),
  children: children.map((child) => symbolOf(document, child)),
});

export function completionItems(document: TextDocument, { start, items }: Proposals, end: number): CompletionItem[] {
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
export function tokenData(document: TextDocument, colours: readonly ColouredSpan[]): number[] {
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
