// What mock answers, tests and recordings know about a call. Types only; `types.ts` re-exports them.
import type { ServiceSpec, Value, WfRecord } from '../types.js';

/** Replaces the real services: answers a call without opening any connection. Implemented by `services/mock.ts`. */
export interface Mocks {
  answer(call: MockCall): MockAnswer;
  /** Whether it has an answer for this particular call; absent if it has none. */
  hasAnswer?(call: MockCall): boolean;
  /** Messages by name, for `wait for`; `none` for silence. A missing name gets the default message. */
  readonly messages?: Readonly<Record<string, WfRecord | 'none'>>;
}

export interface MockCall {
  readonly service: ServiceSpec;
  readonly verb: string;
  readonly description: string;
  readonly method: string;
  /** The path with its values encoded, e.g. `/items/A1`; `undefined` without `at`. */
  readonly path?: string;
  readonly parameters: WfRecord;
  /** Database: the pairs after `where`. */
  readonly where?: WfRecord;
  /** Database: the text after `running`, as written. */
  readonly statement?: string;
  /** The value of `send … as the body`. */
  readonly body?: Value;
  readonly instruction?: string;
  /** Person: the allowed answers. */
  readonly choices?: readonly string[];
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

/** One call that reached a service or its mock: `wf test` compares it, and `--record` writes it. */
export interface ServiceExchange {
  readonly call: MockCall;
  readonly url?: string;
  readonly attempt: number;
  readonly result: {
    ok: boolean;
    value?: Value;
    status?: number;
    /** Only if the workflow saves them. */
    headers?: WfRecord;
    error?: string;
    confidence?: number;
    body?: Value;
  };
}
