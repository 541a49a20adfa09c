// The catalogue of what can go wrong with a service call or with a run as a whole: stable codes, and the sentences of a failure. Its own
// file, so that every message can be read, and compared with the others, in one place.
import { durationText } from './duration-text.js';
import type { CallRequest, Value } from './types.js';

/** Stable code → short title, for the docs; `runtimeErrors` has the language's own. */
export const callErrors = {
  WF650: 'A variable that an address, header or key needs is not set',
  WF651: 'An address that no call can be sent to',
  WF652: 'A header that cannot be sent',
  WF653: 'A value that cannot stand in a path',
  WF654: 'No connection, or a broken one',
  WF655: 'No answer in time',
  WF656: 'An answer with a failing status',
  WF657: 'An answer that is too large',
  WF658: 'An answer that cannot be read',
  WF659: 'A redirect that cannot be followed',
  WF660: 'An AI that gave no answer',
  WF661: 'A plugin that failed',
  WF662: 'A plugin that cannot be used',
  WF690: 'The run took longer than its limit',
  WF691: 'The run was interrupted',
  WF692: 'Data that is too deep or too large to work with',
  WF693: 'The run cannot start',
  WF699: 'Something unexpected',
} as const;

export type CallErrorCode = keyof typeof callErrors;

/** Why an attempt failed. */
export interface Failure {
  readonly ok: false;
  readonly code: CallErrorCode;
  /** Completes `… failed after 2 attempts: `; without a full stop, without the text of the answer. */
  readonly cause: string;
  /** Whether the same request may get another answer later. */
  readonly retryable: boolean;
  /** False where nothing left the machine. */
  readonly sent: boolean;
  readonly status?: number;
  /** The beginning of the text of a failing answer. */
  readonly body?: string;
  /** What the answer asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

const notSent = (code: CallErrorCode, cause: string): Failure => ({ ok: false, code, cause, retryable: false, sent: false });

const failed = (code: CallErrorCode, cause: string, more: Partial<Failure> = {}): Failure => ({
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

/** @param needs what needs them: `its address`, `the header Authorization`. */
export const missingVariable = (needs: string, names: readonly string[]): Failure =>
  notSent('WF650', `${needs} needs ${variables(names)}, which ${names.length === 1 ? 'is' : 'are'} not set or empty`);

/** @param names the variables that the address comes from; none where it stands in the file. */
export const badAddress = (names: readonly string[], problem = 'is no address that starts with http:// or https://'): Failure =>
  notSent('WF651', `${names.length === 0 ? 'its address' : `its address, from ${variables(names)},`} ${problem}`);

export const badHeader = (name: string, names: readonly string[], problem: string): Failure =>
  notSent('WF652', `the header ${name}${names.length === 0 ? '' : `, from ${variables(names)},`} ${problem}`);

/** @param name the value as it is written in the file. */
export const badPathValue = (name: string, problem: string): Failure => notSent('WF653', `${name} ${problem}`);

export const requestRefused = (problem: string): Failure => notSent('WF652', `the request cannot be sent: ${problem}`);

export const noConnection = (cause: string, retryable = true): Failure => failed('WF654', cause, { retryable });

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
  failed('WF661', cause, { retryable: true, ...more });

export const pluginUnusable = (problem: string): Failure => notSent('WF662', problem);

/** `GET /users/{request.username}`; what a call is called in a message. */
export function callTitle(request: CallRequest, method: string): string {
  if (request.service.kind === 'ai') return 'ask';
  const path = request.path?.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join('');
  if (request.service.kind === 'plugin') {
    const phrase = [request.verb, request.description].filter((word) => word !== '').join(' ');
    return path === undefined ? phrase : `${phrase} at ${path}`;
  }
  return path === undefined ? method : `${method} ${path}`;
}

/** The whole sentence: service, method, path as written, attempts, and the cause (security.md 19). */
export function failureMessage(request: CallRequest, method: string, failure: Failure, attempts: number): string {
  const title = `${request.service.name}: ${callTitle(request, method)}`;
  if (!failure.sent) return `${title} was not sent: ${failure.cause}.`;
  return `${title} failed after ${attempts} attempt${attempts === 1 ? '' : 's'}: ${failure.cause}.`;
}

/** What a workflow can read of a failure (language.md 6). */
export function failureRecord(
  request: CallRequest,
  message: string,
  failure: Failure,
  attempts: number,
): { [key: string]: Value } {
  return { message, status: failure.status ?? null, body: failure.body ?? null, service: request.service.name, attempts };
}

/** Why a run ended before its workflow did, or could not go on. */
export interface RunStop {
  readonly code: CallErrorCode;
  readonly message: string;
}

export const runStops = {
  overLimit: (ms: number): RunStop => ({
    code: 'WF690',
    message: `The run took longer than its limit of ${durationText(ms)} and was stopped.`,
  }),
  interrupted: (reason: string): RunStop => ({ code: 'WF691', message: reason }),
  tooDeep: (): RunStop => ({ code: 'WF692', message: 'The run was stopped: its data is nested too deep to work with.' }),
  tooLarge: (): RunStop => ({ code: 'WF692', message: 'The run was stopped: a text or list became too large to work with.' }),
  cannotStart: (problem: string): RunStop => ({ code: 'WF693', message: problem }),
  unexpected: (): RunStop => ({
    code: 'WF699',
    message: 'Something unexpected went wrong: a fault of wf itself or of the program that runs it, not of this workflow.',
  }),
} as const;
