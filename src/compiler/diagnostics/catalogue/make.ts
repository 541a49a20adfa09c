// Building blocks of the catalogue: `error` and `warning`.
import type { Diagnostic, Span } from '../diagnostic.js';
import { readHint } from '../hint-marks.js';
import type { Code } from './titles.js';

/** Optional parts of a diagnostic: how to fix the problem, and what else decides about that. */
interface WayOut {
  readonly suggestion?: string | undefined;
  readonly hint?: string | undefined;
  readonly byInputs?: boolean;
  readonly lacks?: string | undefined;
}

const make = (severity: Diagnostic['severity'], code: Code, span: Span, message: string, out: WayOut): Diagnostic => ({
  code,
  severity,
  span,
  message,
  ...(out.suggestion === undefined ? {} : { suggestion: out.suggestion }),
  ...(out.hint === undefined ? {} : readHint(out.hint)),
  ...(out.lacks === undefined ? {} : { lacks: out.lacks }),
  ...(out.byInputs === true ? { byInputs: true } : {}),
});

export const error = (code: Code, span: Span, message: string, out: WayOut = {}): Diagnostic =>
  make('error', code, span, message, out);

export const warning = (code: Code, span: Span, message: string, out: WayOut = {}): Diagnostic =>
  make('warning', code, span, message, out);

/** Says how to use `other` in place of a value that may be empty. */
export const insteadOfEmpty = (value: string, other: string): string =>
  `To use another value if "${value}" is empty, write:\n    set result to ${value}\n    if ${value} is empty:\n        set result to ${other}`;
