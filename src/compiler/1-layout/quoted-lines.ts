// A quoted text over several lines, as other languages allow it. Its lines belong to the mistake; they are not statements.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { lineAt, lineSpan, measure, type TokenLine } from './line.js';

/** More lines than anyone puts into one text; bounds the search for the closing quote. */
const MOST_LINES = 200;

interface QuotedLines {
  readonly fault: Diagnostic;
  /** Offset of the first line after the text, and the number of lines before it. */
  readonly next: number;
  readonly count: number;
}

/**
 * The lines after `head`, which lacks a closing quote, up to the one that has it. `undefined` if a line that is not indented more
 * comes first: it may be a statement. @param width columns that `head` is indented by @param start of the line after `head`
 */
export function readQuotedLines(text: string, head: TokenLine, width: number, start: number): QuotedLines | undefined {
  if (head.fault?.code !== 'WF008') return undefined;
  let count = 0;
  for (let at = start; at < text.length && count < MOST_LINES; count++) {
    const { end, next } = lineAt(text, at);
    const indentation = measure(text, at, end);
    const written = text.slice(indentation.end, end).trimEnd();
    const isClosing = written.replace(/\\./g, '').split('"').length % 2 === 0;
    if (written !== '' && indentation.width <= width && !/^"+$/.test(written)) return undefined;
    if (isClosing) {
      const name = /^set\s+([\p{L}_][\p{L}\p{N}_.-]*)/u.exec(text.slice(head.start, head.end))?.[1] ?? 'letter';
      return { fault: catalogue.textOfSeveralLines(lineSpan(head), name), next, count: count + 1 };
    }
    at = next;
  }
  return undefined;
}
