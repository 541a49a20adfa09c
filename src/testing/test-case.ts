// What a case file says, once it is read. Types and the words that may stand in it; the JSON Schemas name the same ones.
import type { GivenMocks } from '../../runtime/services/given-mocks.js';
import type { RunStatus, Value, WfRecord } from '../../runtime/types.js';

/** The whole text, or a part of it. */
export type ExpectedText = string | { readonly contains: string };

export interface Expectation {
  readonly status: RunStatus;
  /** A subset of the outputs. */
  readonly outputs?: WfRecord;
  readonly message?: ExpectedText;
  /** All log lines, in order. */
  readonly logs?: readonly ExpectedText[];
  /** Calls that must be among those that were made, in this order, each with a part of what is known of it; none at all: no call. */
  readonly calls?: readonly WfRecord[];
}

export interface TestCase {
  readonly name: string;
  readonly input: WfRecord;
  /** All that the run sees as `env`. */
  readonly env: Readonly<Record<string, string>>;
  /** The start of the run. */
  readonly now?: Date;
  /** Fresh for each run: answers may be given in turn. */
  readonly mocks: () => GivenMocks;
  readonly expect: Expectation;
}

export const caseKeys = ['name', 'input', 'env', 'now', 'mocks', 'expect'] as const;
export const expectationKeys = ['status', 'outputs', 'message', 'logs', 'calls'] as const;
export const statuses = ['completed', 'rejected', 'error'] as const satisfies readonly RunStatus[];

/** What an expected call may name, with the form of its value. */
export const callKeys = {
  service: 'text',
  phrase: 'text',
  verb: 'text',
  method: 'text',
  path: 'text',
  url: 'text',
  parameters: 'record',
  instruction: 'text',
  attempt: 'number',
  status: 'number',
} as const satisfies Readonly<Record<string, 'text' | 'number' | 'record'>>;

/** What is known of a call that was made. */
export type CallKey = keyof typeof callKeys;
export type MadeCall = { readonly [Key in CallKey]?: Value };
