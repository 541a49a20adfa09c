// The outline of a file (sections, declarations, steps) and the blocks that can be folded. Both come from the lines alone.
import { wordOf } from '../compiler/1-layout/alphabet.js';
import { type Line, lineSpan, tokenSpan, tokenText } from '../compiler/1-layout/line.js';
import { sectionMeant } from '../compiler/2-parse/parse.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { allLines, type WfDocument } from './document.js';

export interface OutlineEntry {
  readonly name: string;
  readonly kind: 'section' | 'step' | 'declaration';
  /** The line with everything under it. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineEntry[];
}

const DECLARING = new Set(['inputs', 'services', 'tables']);

export const outlineOfFile = ({ lines, text }: WfDocument): OutlineEntry[] =>
  lines.flatMap((line) => {
    const section = sectionOf(line, text);
    if (section === undefined) return stepsIn([line], text);
    const children = DECLARING.has(section)
      ? line.children.map((child) => entry(child, text, 'declaration', 0))
      : stepsIn(line.children, text);
    return [{ ...entry(line, text, 'section', 0), children }];
  });

/** The section that a line at the margin opens, also misspelt if lines are under it. */
export function sectionOf(line: Line, text: string): string | undefined {
  const word = line.shape === '' ? '' : tokenText(line, text, 0);
  const section = sectionMeant(word);
  return section === word || line.children.length > 0 ? section : undefined;
}

/** Steps, also those inside of other lines. */
function stepsIn(lines: readonly Line[], text: string): OutlineEntry[] {
  return lines.flatMap((line) => {
    const inner = stepsIn(line.children, text);
    return wordOf(line.shape.charAt(0)) === 'step' ? [{ ...entry(line, text, 'step', 1), children: inner }] : inner;
  });
}

/** @param first token of the name */
function entry(line: Line, text: string, kind: OutlineEntry['kind'], first: number): OutlineEntry {
  const { start } = tokenSpan(line, first);
  const written = text.slice(start, line.end);
  const end = kind === 'declaration' ? written.search(/\sis\s|:/) : -1;
  const head = (end === -1 ? written : written.slice(0, end)).trim();
  const name = (head.endsWith(':') ? head.slice(0, -1) : head).trim();
  const shown = name === '' ? text.slice(line.start, line.end).trim() : name;
  const nameSpan = name === '' ? lineSpan(line) : { start, end: start + name.length };
  return { name: shown === '' ? '?' : shown, kind, span: { start: line.start, end: endOfBlock(line) }, nameSpan, children: [] };
}

/** Offset after the last line under this one, or after itself. */
export function endOfBlock(line: Line): number {
  const last = line.children.at(-1);
  return last === undefined ? Math.max(line.end, line.pieces?.at(-1)?.end ?? 0) : endOfBlock(last);
}

/** First and last line of each block, 1-based. */
export function foldsOf({ lines, lineMap }: WfDocument): { readonly first: number; readonly last: number }[] {
  return [...allLines(lines)].flatMap((line) => {
    const last = lineMap.lineAt(endOfBlock(line));
    return last > line.number ? [{ first: line.number, last }] : [];
  });
}
