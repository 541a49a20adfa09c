// An outcome from parts that come from elsewhere, such as a store or a run of another version of wf.
import type { Outcome, RunError, RunStatus, WfRecord } from '../types.js';

export interface OutcomeParts {
  readonly status: RunStatus;
  readonly outputs?: WfRecord | undefined;
  readonly message?: string | undefined;
  readonly error?: RunError | undefined;
  readonly log?: Outcome['log'];
}

export function toOutcome({ status, outputs = {}, message = '', error, log = [] }: OutcomeParts): Outcome {
  switch (status) {
    case 'completed':
      return { status, outputs, log };
    case 'rejected':
      return { status, message, log };
    case 'error':
      return { status, message, error: error ?? { message, code: 'WF699' }, log };
  }
}
