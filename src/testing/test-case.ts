// The content of a case file: its types, and the words allowed in it. The JSON schemas use the same words.
import type { GivenMocks } from '../../runtime/services/given-mocks.js';
import type { Mocks, RunStatus, Value, WfRecord } from '../../runtime/types.js';

/** The whole text, or part of it. */
export type ExpectedText = string | { readonly contains: string };

export interface Expectation {
  readonly status: RunStatus;
  /** A subset of the outputs. */
  readonly outputs?: WfRecord;
  readonly message?: ExpectedText;
  /** All log lines, in order. */
  readonly logs?: readonly ExpectedText[];
  /** Calls that must appear in this order, each described in part. An empty list: no calls. */
  readonly calls?: readonly WfRecord[];
}

export interface TestCase {
  readonly name: string;
  readonly input: WfRecord;
  /** Everything that the run sees as `env`. */
  readonly env: Readonly<Record<string, string>>;
  /** When the run starts. */
  readonly now?: Date;
  /** Fresh for each run, because answers may be given in turn. */
  readonly mocks: () => GivenMocks;
  /** The way in which the run is started, without its time; `undefined` as if by hand. */
  readonly received?: WfRecord;
  /** The messages that a `wait for` receives, by name; `none` for silence. */
  readonly messages: NonNullable<Mocks['messages']>;
  readonly expect: Expectation;
}

export const caseKeys = ['name', 'input', 'env', 'at', 'now', 'received', 'mocks', 'messages', 'expect', 'generated'] as const;
export const receivedKeys = ['by', 'id', 'headers', 'query', 'caller'] as const;
export const expectationKeys = ['status', 'outputs', 'message', 'logs', 'calls'] as const;
export const statuses = ['completed', 'rejected', 'error'] as const satisfies readonly RunStatus[];

/** The properties that an expected call can specify, with the type of each value. */
export const callKeys = {
  service: 'text',
  phrase: 'text',
  verb: 'text',
  method: 'text',
  path: 'text',
  url: 'text',
  parameters: 'record',
  where: 'record',
  statement: 'text',
  body: 'anything',
  instruction: 'text',
  addressee: 'text',
  choices: 'anything',
  attempt: 'number',
  status: 'number',
} as const satisfies Readonly<Record<string, 'text' | 'number' | 'record' | 'anything'>>;

/** A property of a call. */
export type CallKey = keyof typeof callKeys;
export type ObservedCall = { readonly [Key in CallKey]?: Value };
