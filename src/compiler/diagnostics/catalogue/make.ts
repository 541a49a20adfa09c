// Building blocks of the catalogue: `error`, `warning`, and the title of every code.
import type { Diagnostic, Span } from '../diagnostic.js';

/** Optional parts of a diagnostic: how to get out of the problem. */
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

/** Title of every compiler code. A code never changes its meaning, and a retired one is never reused. */
export const titles = {
  WF001: 'Invalid UTF-8',
  WF002: 'Control character',
  WF003: 'Tab in the indentation',
  WF004: 'Uneven indentation',
  WF005: 'Line indented too far',
  WF006: 'Blocks nested too deeply',
  WF007: 'Parentheses nested too deeply',
  WF008: 'Missing closing quote',
  WF009: 'Unexpected character',
  WF010: 'Invalid name',
  WF011: 'Invalid number',
  WF012: 'Too many words on one line',
  WF013: 'Too many errors',
  WF020: 'Unknown variable',
  WF021: 'Unknown service',
  WF022: 'Duplicate step name',
  WF023: 'Reserved name',
  WF024: 'Duplicate key',
  WF025: 'Path on a webhook',
  WF026: 'Wrong kind of service',
  WF027: 'Duplicate service',
  WF028: 'Invalid service address',
  WF029: 'Unknown AI provider or model',
  WF030: 'Run-time value in a declaration',
  WF031: 'Value that this service does not return',
  WF032: 'Loop item used outside its loop',
  WF033: 'env without a variable name',
  WF040: 'Unexpected word',
  WF041: 'Unknown statement',
  WF042: 'Wrong capitalization',
  WF043: 'Missing colon',
  WF044: 'Empty block',
  WF045: 'Unexpected indentation',
  WF046: 'otherwise without if',
  WF047: 'Misplaced retry',
  WF048: 'skip or stop outside a loop',
  WF049: 'save or on failure outside a call',
  WF050: 'Line not allowed under a call',
  WF051: 'Duplicate line under a call',
  WF052: 'Invalid braces',
  WF053: 'Missing workflow section',
  WF054: 'Section out of order',
  WF055: 'Duplicate section',
  WF056: 'Line outside every section',
  WF057: 'Invalid service declaration',
  WF058: 'Invalid service option',
  WF059: 'Invalid header',
  WF060: 'Invalid setting',
  WF061: 'Duplicate setting',
  WF062: 'Number out of range',
  WF063: 'Misplaced trigger',
  WF064: 'Expression too long',
  WF065: 'Statement beside if still failing',
  WF066: 'Missing plugin module',
  WF067: 'Value of the wrong kind',
  WF068: 'plus with a text',
  WF069: 'Division by zero',
  WF070: 'Text without a number',
  WF071: 'Wait beyond the timeout',
  WF080: 'Line not allowed under wait for',
  WF087: 'Unknown time zone',
  WF088: 'Invalid date',
  WF089: 'One name for two things',
  WF090: 'Missing clock time',
  WF091: 'Invalid pattern or sample in the file',
  WF092: 'Text that does not fit its pattern',
  WF081: 'Retry under a person',
  WF082: 'Line only for people',
  WF101: 'Variable that may not be set',
  WF102: 'Arithmetic from left to right',
  WF103: 'and mixed with or',
  WF104: 'Unreachable statement',
  WF105: 'Unused service',
  WF106: 'Loop item that hides a variable',
  WF107: 'Duplicate header',
  WF108: 'Ignored option',
  WF109: 'Missing config section',
  WF110: 'Missing trigger',
  WF111: 'Unknown setting',
  WF112: 'Number with too many digits',
  WF113: 'Misspelled header',
  WF114: 'Fixed value in a condition',
  WF115: 'Service call that looks like set',
  WF116: 'Comparison with only one result',
  WF117: 'Date in local form',
  WF118: 'Record that keeps fields in a loop',
  WF119: 'Unknown verb of a call',
  WF120: 'Secret that leaves the workflow',
  WF121: 'Field named like a variable',
  WF122: 'Condition between values',
  WF200: 'Unknown verb for this service',
  WF201: 'Missing where',
  WF202: 'Incomplete call',
  WF203: 'Misplaced part of a call',
  WF204: 'Value inside quotes of SQL',
  WF205: 'Wrong pairs for this service',
  WF206: 'Line only for HTTP calls',
  WF207: 'Contradictory method or body',
  WF208: 'Invalid database, mail server or folder',
  WF209: 'Missing or invalid sender',
  WF210: 'Unsuitable file ending',
  WF211: 'Path that leads out of its folder',
} as const satisfies Record<string, string>;

export type Code = keyof typeof titles;

/** What `found` is called after the last word of a line. */
export const END_OF_LINE = 'the end of the line';
