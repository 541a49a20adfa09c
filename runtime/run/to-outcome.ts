// Makes the outcome of a run from parts that come from elsewhere, such as a store or another version of wf, and the form that programs get.
import type { Outcome, OwnAnswer, RunError, RunStatus, WfRecord } from '../types.js';
import { jsonOfOutputs } from '../values/long-json.js';

export interface OutcomeParts {
  readonly status: RunStatus;
  readonly outputs?: WfRecord | undefined;
  readonly answer?: OwnAnswer | undefined;
  readonly message?: string | undefined;
  readonly error?: RunError | undefined;
  readonly log?: Outcome['log'];
}

export function toOutcome({ status, outputs = {}, answer, message = '', error, log = [] }: OutcomeParts): Outcome {
  switch (status) {
    case 'completed':
      return answer === undefined ? { status, outputs, log } : { status, outputs, answer, log };
    case 'rejected':
      return { status, message, log };
    case 'error':
      return { status, message, error: error ?? { message, code: 'WF699' }, log };
  }
}

export type Response =
  | { readonly status: 'completed'; readonly outputs: WfRecord }
  | { readonly status: 'rejected' | 'error'; readonly message: string };

/** Outputs are unredacted: the caller may have them; only logs and terminals are redacted. */
export function response({ status, outputs, message }: OutcomeParts): Response {
  return status === 'completed' ? { status, outputs: outputs ?? {} } : { status, message: message ?? '' };
}

/** The response as one line of JSON. */
export function responseJson(outcome: OutcomeParts): string {
  const answer = response(outcome);
  return answer.status === 'completed'
    ? `{"status":"completed","outputs":${jsonOfOutputs(answer.outputs)}}`
    : JSON.stringify(answer);
}

const exitCodes = { completed: 0, error: 1, rejected: 3 } as const;

/** The exit code of a run, which distinguishes a rejection from an error. */
export function exitCodeOf({ status }: Pick<Outcome, 'status'>): 0 | 1 | 3 {
  return exitCodes[status];
}
