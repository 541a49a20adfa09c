// A change of a text, and how to make several at once. Offsets are UTF-16 units of the text before all changes.
import type { Span } from './diagnostic.js';

export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/** The text after changes that don't overlap, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { span, newText } of inOrder(edits)) {
    result += text.slice(at, span.start) + newText;
    at = span.end;
  }
  return result + text.slice(at);
}

/** By position, without those that overlap one before them. */
export function inOrder<Edit extends TextEdit>(edits: readonly Edit[]): Edit[] {
  let end = -1;
  return [...edits]
    .sort((one, other) => one.span.start - other.span.start || one.span.end - other.span.end)
    .filter(({ span }) => {
      const isFree = span.start >= end;
      if (isFree) end = Math.max(span.end, span.start + 1);
      return isFree;
    });
}
