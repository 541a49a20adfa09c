// How a run ended, as programs read it: the execution response (`service.md` 2.3) for `--json`, for HTTP and for built modules, and the
// exit code. Its own file, because all of them give the same.
import type { Outcome, WfRecord } from './types.js';

export type Response =
  | { readonly status: 'completed'; readonly outputs: WfRecord }
  | { readonly status: 'rejected' | 'error'; readonly message: string };

/** Outputs as they are: the caller may have them, only logs and terminals are redacted. */
export function response({ status, outputs, message }: Outcome): Response {
  return status === 'completed' ? { status, outputs: outputs ?? {} } : { status, message: message ?? '' };
}

/** The response as one line of JSON. */
export function responseJson(outcome: Outcome): string {
  return JSON.stringify(response(outcome));
}

const exitCodes = { completed: 0, error: 1, rejected: 3 } as const;

/** `behaviour.md` 1. */
export function exitCodeOf({ status }: Pick<Outcome, 'status'>): 0 | 1 | 3 {
  return exitCodes[status];
}
