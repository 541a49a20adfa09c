// Diagnostics about dates and times, and about the patterns and samples after `written as`.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

/**
 * @param reason why the day does not exist, for text in the format of a date
 * @param local its pattern, for text that looks like a date
 */
export const invalidDate = (
  span: Span,
  text: string,
  reason?: string,
  local?: { readonly iso: string | undefined; readonly pattern: string },
): Diagnostic =>
  error('WF088', span, `${JSON.stringify(text)} is not a date${reason === undefined ? '' : `: ${reason}`}.`, {
    suggestion: local?.iso,
    hint:
      local === undefined
        ? 'Write dates as year-month-day: "2026-03-01"'
        : `Write dates as year-month-day: "2026-03-01". To read one in another format:\n    date of ${JSON.stringify(text)} written as "${local.pattern}"`,
  });

/** @param what source text and kind of the operand @param word what needs the time: `plus 2 hours` */
export const needsClockTime = (span: Span, what: string, word: string): Diagnostic =>
  error('WF090', span, `This line can't work: ${what}, and "${word}" needs a clock time.`, {
    hint: 'A time has a date and a clock time: now, or "2026-03-01T09:30"',
  });

/** @param fault completes `The pattern "…" ` */
export const invalidPattern = (span: Span, kind: 'pattern' | 'sample', written: string, fault: string): Diagnostic =>
  error('WF091', span, `The ${kind} ${written} ${fault}.`, {
    hint:
      kind === 'pattern'
        ? 'A pattern consists of D DD M MM MMM MMMM YY YYYY ddd dddd H HH mm ss. Put other words in single quotes.'
        : 'A sample shows how thousands and decimals are separated: "1,234.50"',
  });

/** Text that a pattern or sample can't read. @param why completes `"31.02.2026" ` */
export const notWrittenAs = (span: Span, written: string, why: string): Diagnostic =>
  error('WF092', span, `This line can't work: ${written} ${why}.`);

export const wholeAmount = (span: Span, unit: string): Diagnostic =>
  error('WF062', span, `The number of ${unit} must be a whole number.`, {
    hint: 'Use a smaller unit: 36 hours instead of 1.5 days',
  });
