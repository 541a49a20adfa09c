// Whether a name that no line sets may be text without quotes.
import type { Reference } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';

/** Whether text without quotes would make sense here: alone after `to`, `is`, `log` or the key of a pair. */
export function mayBeText({ text }: Checker, { fields, span }: Reference): boolean {
  if (fields.length > 0) return false;
  const after = text.slice(span.end, span.end + 80).split('\n', 1)[0] ?? '';
  return (
    /(?:\b(?:to|is|not|log|with|contains?)|[[,]|\b(?:with|and)\s+[\p{L}_][\p{L}\p{N}_-]*)\s+$|\[$/u.test(
      lineBefore(text, span.start),
    ) && /^\s*(?:$|#|[:,\]]|(?:and|or)\b)/.test(after)
  );
}

/** The part of the line before an offset that is worth examining. */
export const lineBefore = (text: string, at: number): string =>
  text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 80), at);
