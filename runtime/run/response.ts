// How a run ended, for programs: the response for `--json`, HTTP and built modules, and the exit code.
import type { Outcome, WfRecord } from '../types.js';
import type { OutcomeParts } from './to-outcome.js';

export type Response =
  | { readonly status: 'completed'; readonly outputs: WfRecord }
  | { readonly status: 'rejected' | 'error'; readonly message: string };

/** Outputs are unredacted: the caller may have them; only logs and terminals are redacted. */
export function response({ status, outputs, message }: OutcomeParts): Response {
  return status === 'completed' ? { status, outputs: outputs ?? {} } : { status, message: message ?? '' };
}

/** The response as one line of JSON. */
export function responseJson(outcome: OutcomeParts): string {
  return JSON.stringify(response(outcome));
}

const exitCodes = { completed: 0, error: 1, rejected: 3 } as const;

/** The exit code of a run, which distinguishes a rejection from an error. */
export function exitCodeOf({ status }: Pick<Outcome, 'status'>): 0 | 1 | 3 {
  return exitCodes[status];
}
