// An outcome from parts that come from elsewhere, such as a store or a run of another version of wf.
import type { Outcome, OwnAnswer, RunError, RunStatus, WfRecord } from '../types.js';

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
