// Takes the suggestions of messages at their word: writes them into the text, and keeps those after which the mistake is gone.
import type { Diagnostic, LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { applyEdits, inOrder, suggestedEdit, type TextEdit } from '../compiler/diagnostics/working-fixes.js';

/** A suggestion that was written into the text. */
interface AppliedFix {
  /** 1-based. Fixes stay in their line, so it is right before and after. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

interface FixedText {
  readonly text: string;
  /** In the order in which they were applied: a fix can bring another mistake to light. */
  readonly fixes: readonly AppliedFix[];
}

/** A mistake can hide another, such as one capital letter the next in a line. */
const MOST_ROUNDS = 20;

/** @param check gives the diagnostics of a text, and of no other file */
export function withCertainFixes(text: string, check: (text: string) => readonly LocatedDiagnostic[]): FixedText {
  const fixes: AppliedFix[] = [];
  const refused = new Set<string>();
  let current = text;
  let found = check(current);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const candidates = found.flatMap((diagnostic) => {
      const edit = refused.has(keyOf(diagnostic)) ? undefined : suggestedEdit(diagnostic, current);
      return edit === undefined ? [] : [{ ...edit, diagnostic }];
    });
    const edits = inOrder(candidates);
    if (edits.length === 0) break;
    const next = applyEdits(current, edits);
    const after = check(next);
    const failed = failedEdits(edits, after);
    for (const { diagnostic } of failed) refused.add(keyOf(diagnostic));
    // Without those that didn't help.
    if (failed.length > 0) continue;
    for (const { diagnostic, span, newText } of edits)
      fixes.push({ line: diagnostic.line, before: current.slice(span.start, span.end), after: newText });
    current = next;
    found = after;
  }
  return { text: current, fixes };
}

interface Candidate extends TextEdit {
  readonly diagnostic: Diagnostic;
}

/** The edits whose new text is at fault again. */
function failedEdits<Edit extends Candidate>(edits: readonly Edit[], found: readonly Diagnostic[]): Edit[] {
  let shift = 0;
  return edits.filter(({ span, newText, diagnostic }) => {
    const start = span.start + shift;
    shift += newText.length - (span.end - span.start);
    return found.some(
      (one) =>
        (one.severity === 'error' || diagnostic.severity === 'warning') &&
        one.span.start < start + newText.length &&
        one.span.end > start,
    );
  });
}

const keyOf = ({ code, message }: Diagnostic): string => `${code} ${message}`;
