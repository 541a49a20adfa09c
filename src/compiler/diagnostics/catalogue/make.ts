// How the functions of the catalogue build a diagnostic, and the short title of every code.
import type { Diagnostic, Span } from '../diagnostic.js';

/** What a diagnostic may have beside its message. */
export interface WayOut {
  readonly suggestion?: string | undefined;
  readonly hint?: string | undefined;
}

const make = (severity: Diagnostic['severity'], code: Code, span: Span, message: string, out: WayOut): Diagnostic => ({
  code,
  severity,
  span,
  message,
  ...(out.suggestion === undefined ? {} : { suggestion: out.suggestion }),
  ...(out.hint === undefined ? {} : { hint: out.hint }),
});

export const error = (code: Code, span: Span, message: string, out: WayOut = {}): Diagnostic =>
  make('error', code, span, message, out);

export const warning = (code: Code, span: Span, message: string, out: WayOut = {}): Diagnostic =>
  make('warning', code, span, message, out);

/** Every code of the compiler and what it is about; codes are never used again for something else. */
export const titles = {
  WF001: 'Text that is not UTF-8',
  WF002: 'A control character',
  WF003: 'A tab in the indentation',
  WF004: 'Indentation that is no multiple of 4 spaces',
  WF005: 'A line that is indented too deep',
  WF006: 'Blocks nested too deep',
  WF007: 'Parentheses nested too deep',
  WF008: 'Text without its closing quote',
  WF009: 'A character that has no meaning here',
  WF010: 'A name that cannot be one',
  WF011: 'A number that cannot be one',
  WF012: 'A line with too many words',
  WF013: 'Too many errors',
  WF020: 'An unknown variable',
  WF021: 'An unknown service',
  WF022: 'A step name used twice',
  WF023: 'A name that cannot be set',
  WF024: 'A key given twice',
  WF025: 'A path on a webhook',
  WF026: 'A service of another kind',
  WF027: 'A service declared twice',
  WF028: 'An address that is not http or https',
  WF029: 'An unknown AI provider or model',
  WF030: 'A declaration that uses something other than env',
  WF031: 'An answer that this kind of service does not give',
  WF032: 'A loop item used outside its loop',
  WF033: 'env without the name of a variable',
  WF040: 'A word that does not fit',
  WF041: 'A line that is no statement',
  WF042: 'A word of the language with wrong capitals',
  WF043: 'A colon is missing',
  WF044: 'An empty block',
  WF045: 'An indented line under no block',
  WF046: 'otherwise without if',
  WF047: 'retry outside of on failure',
  WF048: 'A loop statement outside of a loop',
  WF049: 'save or on failure outside of a call',
  WF050: 'A line that does not belong under a call',
  WF051: 'A line given twice under a call',
  WF052: 'Braces that hold no name',
  WF053: 'No workflow section',
  WF054: 'A section out of order',
  WF055: 'A section given twice',
  WF056: 'A line outside of the sections',
  WF057: 'A service declaration that cannot be read',
  WF058: 'A service option that cannot be read',
  WF059: 'A header that cannot be read',
  WF060: 'A setting with a wrong value',
  WF061: 'A setting given twice',
  WF062: 'A number out of range',
  WF063: 'A trigger in the wrong place',
  WF064: 'An expression with too many parts',
  WF065: 'Statements beside if still failing',
  WF066: 'An empty name',
  WF101: 'A variable that may not be set',
  WF102: 'Arithmetic that reads from left to right',
  WF103: 'and mixed with or',
  WF104: 'Statements that are never reached',
  WF105: 'A service that is never used',
  WF106: 'A loop item that hides a variable',
  WF107: 'A header given twice',
  WF108: 'Options that this kind of service ignores',
  WF109: 'No config section',
  WF110: 'No trigger',
  WF111: 'An unknown setting',
  WF112: 'A number with more digits than can be held',
  WF113: 'A header that is most likely misspelt',
  WF114: 'A fixed value as part of a condition',
  WF115: 'A service call that looks like set',
} as const satisfies Record<string, string>;

export type Code = keyof typeof titles;
