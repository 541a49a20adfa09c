// The interface between the console and the server that mounts it. Types only: the console imports nothing from the server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mocks, WfRecord } from '../../runtime/types.js';
import type { Oidc } from '../access/oidc.js';
import type { WrongTokens } from '../access/rate-limit.js';
import type { NamedTokens } from '../access/token-file.js';
import type { DurableEngine, Started } from '../durable/durable-engine.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { RunRecord } from '../engine/records/run-record.js';

/** A request, as the server represents it. */
export interface ConsoleExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request target, as sent. Express changes that of the request. */
  readonly target: string;
  /** As sent, without the query. */
  readonly path: string;
}

/** An answer, as the server sends it. */
export interface ConsoleReply {
  readonly status: number;
  readonly text: string;
  readonly type: string;
  /** Additional headers, alternating names and values. */
  readonly headers: readonly string[];
}

/** A workflow that the server serves. */
export interface ServedWorkflow {
  /** Name in the address. Runs refer to their workflow by it. */
  readonly name: string;
  /** Path for requests: `/order-review`. */
  readonly path: string;
  readonly prepared: Prepared;
  readonly timetable?: Timetable;
}

export interface Timetable {
  /** `every weekday at 9:00, Europe/Berlin`. */
  readonly words: string;
  readonly next?: {
    /** ISO 8601 UTC. */ readonly at: string /** In the zone of the timetable, which it names. */;
    readonly words: string;
  };
  /** Whether this server starts its runs. Another one may. */
  readonly isRunning: boolean;
}

export interface ConsoleAccess {
  /**
   * The token that operators sign in with: the operator token, or the callers' token on a loopback address without an operator token. `undefined` if
   * no one has to sign in.
   */
  readonly token: string | undefined;
  /** More tokens, with names and roles. */
  readonly tokens?: NamedTokens | undefined;
  /** Signs people in, to the console and to the links of questions. */
  readonly oidc?: Oidc | undefined;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
  /** Header in which a trusted proxy names the signed-in user. */
  readonly userHeader?: string | undefined;
}

export interface ConsoleOptions<Exchange extends ConsoleExchange> {
  readonly store: DurableEngine;
  /** The workflows served now. Read for each request, because files may change. */
  readonly workflows: () => readonly ServedWorkflow[];
  readonly access: ConsoleAccess;
  readonly wrongTokens: WrongTokens;
  /** Where the sender reaches the server, without a trailing slash. */
  readonly baseOf: (request: IncomingMessage) => string;
  readonly send: (exchange: Exchange, reply: ConsoleReply) => void;
  /** Reads the body of a request, up to this many bytes. */
  readonly readBody: (exchange: Exchange, limit: number) => Promise<Uint8Array | 'too large' | 'gone'>;
  /** Starts a run as a request to the workflow would, but answers at once. @param key of this form: sent twice, it starts one run @param by who, if known */
  readonly startRun: (prepared: Prepared, request: WfRecord, key: string, by: string | undefined) => Promise<Started>;
  /** Runs a workflow with mock services. Sends nothing to other machines and stores nothing. */
  readonly tryOut: (
    prepared: Prepared,
    request: WfRecord,
    mocks: true | Mocks,
  ) => Promise<Pick<RunRecord, 'outcome' | 'redactor'>>;
  /** Whether the store can be used: not while the server stops. */
  readonly isUsable: () => boolean;
  /** Reports a fault of the console to the operator. */
  readonly onFault: (exchange: Exchange, cause: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}
