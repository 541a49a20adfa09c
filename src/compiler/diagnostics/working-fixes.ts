// Tries each fix that a message shows: written into the file, it must leave one mistake fewer. Other fixes are not shown.
import type { Diagnostic } from './diagnostic.js';
import { applyEdits, inOrder, type TextEdit } from './text-edit.js';

/** Characters that are checked again for the fixes of a file. A long file has none: checking it twice would take too long. */
const MOST_CHECKED = 300_000;
/** Even a short file takes as long as this many characters. */
const LEAST_CHECKED = 4_000;

/** A fix in a hint: the lines after "Write:", in place of the words at fault. */
const IN_PLACE = /^Write:\n((?: {4}[^\n]*(?:\n|$))+)/;
/** The whole line as it should be. */
const WHOLE_LINE = /^Write it like this:\n {4}([^\n]+)$/;
/** Codes of lines in other words. Elsewhere, a line in a hint is an example. */
const IN_OTHER_WORDS = /^WF0(?:40|41|50)$/;

interface Candidate extends TextEdit {
  readonly diagnostic: Diagnostic;
}

/** What to write instead, if an error has one suggestion: another case, or "Did you mean". Its span is in `text`. */
export function suggestedEdit({ severity, span, suggestion }: Diagnostic, text: string): TextEdit | undefined {
  if (severity !== 'error' || suggestion === undefined) return undefined;
  const before = text.slice(span.start, span.end);
  const isQuoted = before.length > 1 && before.startsWith('"') && before.endsWith('"') && !suggestion.startsWith('"');
  const newText = isQuoted ? `"${suggestion}"` : suggestion;
  return before === '' || before.includes('\n') || newText === before ? undefined : { span, newText };
}

/**
 * The diagnostics, with the fixes that work.
 * @param countErrors checks a text; the work is bounded by the length of the text, not by the number of fixes
 */
export function withWorkingFixes(
  text: string,
  diagnostics: readonly Diagnostic[],
  countErrors: (text: string) => number,
): readonly Diagnostic[] {
  const candidates = diagnostics.flatMap((diagnostic) => {
    const edit = fixOf(diagnostic, text);
    return edit === undefined ? [] : [{ ...edit, diagnostic }];
  });
  if (candidates.length === 0) return diagnostics;
  const cost = Math.max(text.length, LEAST_CHECKED);
  let left = MOST_CHECKED - cost;
  const before = left < 0 ? 0 : countErrors(text);
  const working = new Set<Diagnostic>();
  // Most fixes work, so they are tried together first, then in halves.
  const attempt = (group: readonly Candidate[]): void => {
    if (left < cost) return;
    const edits = inOrder(group);
    if (edits.length === group.length) {
      left -= cost;
      if (countErrors(applyEdits(text, edits)) <= before - edits.length) {
        for (const { diagnostic } of edits) working.add(diagnostic);
        return;
      }
    }
    if (group.length === 1) return;
    const middle = group.length >>> 1;
    attempt(group.slice(0, middle));
    attempt(group.slice(middle));
  };
  attempt(candidates);
  const failed = new Set(candidates.map(({ diagnostic }) => diagnostic).filter((diagnostic) => !working.has(diagnostic)));
  return diagnostics.map((diagnostic) => (failed.has(diagnostic) ? withoutFix(diagnostic) : diagnostic));
}

function fixOf(diagnostic: Diagnostic, text: string): TextEdit | undefined {
  const { severity, span, suggestion, hint = '', code } = diagnostic;
  if (severity !== 'error') return undefined;
  if (suggestion !== undefined) return suggestedEdit(diagnostic, text);
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const next = text.indexOf('\n', span.start);
  const end = next === -1 ? text.length : next;
  if (span.end > end) return undefined;
  const indent = /^ {0,400}/.exec(text.slice(start, start + 400))?.[0] ?? '';
  const from = start + indent.length;
  const shown = IN_PLACE.exec(hint)?.[1]?.trimEnd().slice(4);
  if (shown !== undefined) {
    const isWholeLine = firstWord(shown) === firstWord(text.slice(from, end));
    const place = isWholeLine ? { start: from, end } : span;
    const below = text.slice(end, end + indent.length + 5);
    const isBlockless = text.slice(place.end, end).trim() === '' && !below.startsWith(`\n${indent}    `);
    return { span: place, newText: withBlock(shown.replaceAll('\n    ', `\n${indent}`), isBlockless, indent) };
  }
  const line = IN_OTHER_WORDS.test(code) ? WHOLE_LINE.exec(hint)?.[1] : undefined;
  return line === undefined ? undefined : { span: { start: from, end }, newText: line };
}

const firstWord = (line: string): string | undefined => /^\S{1,50}/.exec(line)?.[0];

/** A line that only now opens a block gets one, as its author is about to write it. */
const withBlock = (newText: string, isBlockless: boolean, indent: string): string =>
  newText.endsWith(':') && isBlockless ? `${newText}\n${indent}    log "…"` : newText;

/** What else the message says stays. */
function withoutFix(diagnostic: Diagnostic): Diagnostic {
  const { suggestion, hint, ...rest } = diagnostic;
  const others = suggestion === undefined ? hint?.replace(WHOLE_LINE, '').replace(IN_PLACE, '') : hint;
  return others === undefined || others === '' ? rest : { ...rest, hint: others };
}
