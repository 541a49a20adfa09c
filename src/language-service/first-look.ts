// Checks a changed statement of a long file at once, before the whole file is checked again: its syntax, and elsewhere the findings of the
// last check. Takes the time of one statement, however long the file is.
import { layout } from '../compiler/1-layout/layout.js';
import { parse } from '../compiler/2-parse/parse.js';
import type { Diagnostic, Span } from '../compiler/diagnostics/diagnostic.js';

/** The findings of the last check of the whole text. */
export interface LastCheck {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Characters of one statement with its block. Longer ones wait for the check. */
const LONGEST = 100_000;

/** Spans are in `text`. */
export function firstLook(before: LastCheck, text: string): Diagnostic[] {
  const { from, to } = changedLines(before.text, text);
  const shift = text.length - before.text.length;
  const kept = before.diagnostics.flatMap((found) => {
    if (found.span.end < from) return [found];
    return found.span.start > to - shift ? [moved(found, shift)] : [];
  });
  const isKnown = ({ code, span }: Diagnostic): boolean =>
    kept.some((other) => other.code === code && other.span.start === span.start);
  return [...kept, ...formOf(text, from, to).filter((found) => !isKnown(found))];
}

const moved = <T extends Diagnostic>(found: T, by: number): T => ({
  ...found,
  span: { start: found.span.start + by, end: found.span.end + by },
});

/** The lines of `after` that differ, from the start of the first to the end of the last. */
function changedLines(before: string, after: string): { from: number; to: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  while (same < shorter - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same))
    same++;
  return { from: lineStart(after, start), to: lineEnd(after, after.length - same) };
}

const lineStart = (text: string, at: number): number => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Mistakes in the form of the statements of the workflow that these lines belong to. */
function formOf(text: string, from: number, to: number): Diagnostic[] {
  const trigger = /^([ \t]+)trigger:.*\n/m.exec(text);
  const body = trigger === null ? text.length : trigger.index + trigger[0].length;
  if (trigger === null || from < body) return [];
  const { start, end } = statementsAround(text, { start: from, end: to }, body, trigger[1] ?? '');
  if (end - start > LONGEST) return [];
  const head = `workflow:\n${trigger[0].trimEnd()}\n`;
  const alone = head + text.slice(start, end);
  const lines = layout(alone);
  const found = [...lines.diagnostics];
  parse(alone, lines, found);
  // Fixes are tried by the check.
  return found.map(({ suggestion: _, hint: __, ...rest }) => moved(rest, start - head.length));
}

/** From the line that begins the first statement at this indentation to the end of the last one, with the branches of an "if". */
function statementsAround(text: string, { start, end }: Span, body: number, indent: string): Span {
  const begins = (at: number): boolean => {
    if (!text.startsWith(indent, at)) return /\S/.test(text.charAt(at));
    const rest = text.slice(at + indent.length, at + indent.length + 'otherwise'.length);
    return /^[^\s#]/.test(rest) && rest !== 'otherwise';
  };
  // A line that was taken away may have been all that the one above it had below.
  let first = Math.max(body, lineStart(text, start - 1));
  while (first > body && !begins(first)) first = lineStart(text, first - 1);
  let last = Math.min(end + 1, text.length);
  while (last < text.length && !begins(last)) last = lineEnd(text, last) + 1;
  return { start: first, end: Math.min(last, text.length) };
}
