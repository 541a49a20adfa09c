// The catalogue of failures of service calls and of whole runs: stable codes, and their causes in words.
import { durationText, type TimeSpan } from '../dates/date-unit.js';
import type { PathPart } from '../values/value-types.js';
import { show } from '../values/values.js';

/** Stable code → title in the docs. `runtimeErrors` has those of the language. */
export const callErrors = {
  WF630: 'Result too large to record',
  WF631: 'Too many calls or waits to record',
  WF643: 'Rejected by a called workflow',
  WF644: 'Error in a called workflow',
  WF632: 'Call that may have been received',
  WF633: 'Question without an answer',
  WF650: 'Missing environment variable',
  WF651: 'Invalid address',
  WF652: 'Header that cannot be sent',
  WF653: 'Value not allowed in a path',
  WF654: 'No connection',
  WF655: 'No answer in time',
  WF656: 'Failing status',
  WF657: 'Answer too large',
  WF658: 'Unreadable answer',
  WF659: 'Redirect not followed',
  WF660: 'No answer from an AI',
  WF661: 'Failed plugin',
  WF662: 'Unusable plugin',
  WF663: 'Statement refused by a database',
  WF664: 'Violated constraint',
  WF665: 'Result or file too large',
  WF666: 'Message refused by a mail server',
  WF667: 'Message that cannot be sent',
  WF668: 'File that cannot be read or written',
  WF669: 'Path outside of its folder',
  WF670: 'Missing driver',
  WF671: 'Failed sign-in',
  WF672: 'Unusable client certificate',
  WF673: 'Body that cannot be sent',
  WF674: 'Name or value that a database cannot take',
  WF690: 'Run exceeded its time limit',
  WF691: 'Run interrupted',
  WF692: 'Out of memory for the data',
  WF693: 'Run cannot start',
  WF694: 'Run that would wait forever',
  WF699: 'Unexpected error',
} as const;

type CallErrorCode = keyof typeof callErrors;

/** The reason why an attempt failed. */
export interface Failure {
  readonly ok: false;
  readonly code: CallErrorCode;
  /** Completes `… failed after 2 attempts: `. Has no full stop and never quotes the answer. */
  readonly cause: string;
  /** The cause in our own words if `cause` quotes a plugin, which may have put anything there. */
  readonly publicCause?: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** False if nothing left the machine. */
  readonly sent: boolean;
  /** True if it is certain that nothing arrived: there was no connection. */
  readonly neverReceived?: boolean;
  readonly status?: number;
  /** The beginning of the body of a failing answer. */
  readonly body?: string;
  /** Headers of a failing answer that say what to do next, redacted: `retry-after`, `x-request-id`. Only shown. */
  readonly advice?: Readonly<Record<string, string>>;
  /** A called workflow rejected its request. */
  readonly rejected?: true;
  /** The time that the answer asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

export const notSent = (code: CallErrorCode, cause: string): Failure => ({
  ok: false,
  code,
  cause,
  retryable: false,
  sent: false,
});

export const failed = (code: CallErrorCode, cause: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  code,
  cause,
  retryable: false,
  sent: true,
  ...more,
});

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;

const variables = (names: readonly string[]): string => `the environment variable${names.length === 1 ? '' : 's'} ${list(names)}`;

/** @param needs what needs them: `its address`, `the header Authorization` */
export const missingVariable = (needs: string, names: readonly string[]): Failure =>
  notSent('WF650', `${needs} needs ${variables(names)}, which ${names.length === 1 ? 'is' : 'are'} missing or empty`);

/** @param names the variables that the address comes from; none if the file has it in full */
export const unusableAddress = (names: readonly string[], problem = 'does not start with http:// or https://'): Failure =>
  notSent('WF651', `${names.length === 0 ? 'its address' : `its address, from ${variables(names)},`} ${problem}`);

export const unusableHeader = (name: string, names: readonly string[], problem: string): Failure =>
  notSent('WF652', `the header ${name}${names.length === 0 ? '' : `, from ${variables(names)},`} ${problem}`);

/** @param name the value as written in the file */
export const badPathValue = (name: string, problem: string): Failure => notSent('WF653', `${name} ${problem}`);

export const requestRefused = (problem: string): Failure => notSent('WF652', `the request cannot be sent: ${problem}`);

/** @param neverReceived it is certain that nothing arrived */
export const noConnection = (cause: string, retryable = true, neverReceived = false): Failure =>
  failed('WF654', cause, { retryable, ...(neverReceived ? { neverReceived } : {}) });

export const noAnswerInTime = (ms: number): Failure =>
  failed('WF655', `no answer within ${durationText(ms)}`, { retryable: true });

export const failingStatus = (status: number, words: string, more: Partial<Failure>): Failure =>
  failed('WF656', `status ${status}${words === '' ? '' : ` (${words})`}`, { status, ...more });

export const answerTooLarge = (status?: number): Failure =>
  failed('WF657', 'the answer is larger than 10 MiB', status === undefined ? {} : { status });

export const unreadableAnswer = (problem: string, status?: number): Failure =>
  failed('WF658', problem, status === undefined ? {} : { status });

export const redirectNotFollowed = (status: number, problem: string): Failure =>
  failed('WF659', `status ${status}, a redirect ${problem}`, { status });

export const aiGaveNothing = (problem: string, more: Partial<Failure> = {}): Failure => failed('WF660', problem, more);

export const pluginFailed = (cause: string, more: Partial<Failure> = {}): Failure =>
  failed('WF661', cause, { publicCause: 'the plugin reported an error', retryable: true, ...more });

export const pluginUnusable = (problem: string): Failure => notSent('WF662', problem);

/** As written in the file, with values by name. */
export const writtenPath = (parts: readonly PathPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join('');

/** @param attempt number of the failed attempt, which does not count if it failed before anything was sent. */
export const sentAttempts = ({ sent }: Failure, attempt: number): number => (sent ? attempt : attempt - 1);

/** Codes of failures after which it is certain that the call was received. */
const received: ReadonlySet<string> = new Set(['WF656', 'WF657', 'WF658', 'WF659', 'WF660', 'WF643', 'WF644']);

/** Whether the service may have done the work all the same: time-outs, broken connections, and whatever else gave no answer. */
export const isInDoubt = ({ sent, status, code, neverReceived = false }: Failure): boolean =>
  sent && status === undefined && !neverReceived && !received.has(code);

/**
 * The reason why a question failed. @param withinMs how long the person had to answer, if there was a limit @param within the limit as
 * written
 */
export function nobodyAnswered(service: string, withinMs: number | undefined, within: TimeSpan | undefined): string {
  const limit = within === undefined ? durationText(withinMs ?? 0) : calendarText(within);
  return `no one answered for ${service} ${withinMs === undefined ? 'before the run had to end' : `within ${limit}`}`;
}

/** A call `at most once` that was about to be sent when its process ended. */
export const interruptedCall: Failure = {
  ok: false,
  code: 'WF632',
  cause: 'the process ended before it recorded the answer; the call may have been received, and wf sends it at most once',
  retryable: false,
  sent: true,
};

/** The reason why a run ended before its workflow did, or could not continue. */
export interface RunStop {
  readonly code: CallErrorCode;
  readonly message: string;
  readonly line?: number;
}

export const runStops = {
  overLimit: (ms: number): RunStop => ({
    code: 'WF690',
    message: `The run exceeded its time limit of ${durationText(ms)} and was stopped.`,
  }),
  interrupted: (reason: string): RunStop => ({ code: 'WF691', message: reason }),
  /** @param awaited such as `line 4 waits for the message "paid"` */
  waitsForEver: (awaited: string): RunStop => ({
    code: 'WF694',
    message: `The run would wait forever: ${awaited}, and nothing else can happen any more.`,
  }),
  tooDeep: (): RunStop => ({ code: 'WF692', message: 'The run was stopped: its data is nested too deeply.' }),
  tooLarge: (): RunStop => ({ code: 'WF692', message: 'The run was stopped: some text or a list became too large.' }),
  /** @param bytes that a run may hold; `undefined` if all runs together hold too much */
  overMemory: (bytes: number | undefined, line: number | undefined): RunStop => ({
    code: 'WF692',
    message: `The run was stopped: ${bytes === undefined ? 'there is not enough memory for all runs' : `its values take up more than ${Math.round(bytes / 1024 ** 2)} MB of memory`}.`,
    ...(line === undefined ? {} : { line }),
  }),
  cannotStart: (problem: string): RunStop => ({ code: 'WF693', message: problem }),
  unexpected: (): RunStop => ({
    code: 'WF699',
    message: 'Something unexpected went wrong in wf, or in the program that runs it. The workflow is not at fault.',
  }),
} as const;

/** An amount of the calendar as it is written: `8 working hours`. */
export const calendarText = ({ amount, unit }: TimeSpan): string => `${show(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
