// What mock answers, tests and recordings know of a call. Types only; `types.ts` hands them on.
import type { ServiceSpec, Value, WfRecord } from './types.js';

/** Answers instead of the real services: resolves a call without any socket. Implemented by `services/mock.ts`. */
export interface Mocks {
  answer(call: MockCall): MockAnswer;
}

export interface MockCall {
  readonly service: ServiceSpec;
  readonly verb: string;
  readonly description: string;
  readonly method: string;
  /** The path with its values encoded, e.g. `/items/A1`; `undefined` without `at`. */
  readonly path?: string;
  readonly parameters: WfRecord;
  readonly instruction?: string;
}

export type MockAnswer =
  | {
      readonly ok: true;
      readonly value: Value;
      readonly status: number;
      readonly headers: WfRecord;
      readonly confidence?: number;
    }
  | {
      readonly ok: false;
      readonly message: string;
      readonly status?: number;
      readonly body?: Value;
      readonly retryable: boolean;
    };

/** One call that reached a service or its mock: what `wf test` compares and `--record` writes. */
export interface Exchange {
  readonly call: MockCall;
  readonly url?: string;
  readonly attempt: number;
  readonly result: {
    ok: boolean;
    value?: Value;
    status?: number;
    /** Only where the workflow saves them. */
    headers?: WfRecord;
    error?: string;
    confidence?: number;
    body?: Value;
  };
}
