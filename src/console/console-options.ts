// What the console needs of the server that mounts it. Types only: the console imports nothing of the server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WfRecord } from '../../runtime/types.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import type { Prepared } from '../engine/prepared.js';
import type { RunRecord } from '../engine/run-record.js';

/** A request as the server holds it. */
export interface ConsoleExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** As sent, without the query. */
  readonly path: string;
}

/** An answer as the server sends it. */
export interface ConsoleReply {
  readonly status: number;
  readonly text: string;
  readonly type: string;
  /** Further headers, names and values by turns. */
  readonly headers: readonly string[];
}

/** A workflow of the server. */
export interface ServedWorkflow {
  /** The name in the address, by which runs name their workflow. */
  readonly name: string;
  /** Where to post requests: `/order-review`. */
  readonly path: string;
  readonly prepared: Prepared;
  readonly timetable?: Timetable;
}

export interface Timetable {
  /** `every weekday at 9:00, Europe/Berlin`. */
  readonly words: string;
  /** ISO 8601 UTC. */
  readonly nextDue?: string;
}

export interface ConsoleAccess {
  /**
   * What operators sign in with: the operator token, or, on a loopback address that has none, the callers' token. `undefined` where nobody
   * has to sign in.
   */
  readonly token: string | undefined;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
  /** The header in which a trusted proxy names who is signed in. */
  readonly userHeader?: string | undefined;
}

export interface ConsoleOptions<Exchange extends ConsoleExchange> {
  readonly store: DurableEngine;
  /** What is served now; asked at each request, because files may change. */
  readonly workflows: () => readonly ServedWorkflow[];
  readonly access: ConsoleAccess;
  readonly send: (exchange: Exchange, reply: ConsoleReply) => void;
  /** Reads the body of a request, up to this many bytes. */
  readonly readBody: (exchange: Exchange, limit: number) => Promise<Uint8Array | 'too large' | 'gone'>;
  /** Runs a workflow with mock services: nothing leaves the machine, and nothing is stored. */
  readonly tryOut: (prepared: Prepared, request: WfRecord) => Promise<Pick<RunRecord, 'outcome' | 'redactor'>>;
  /** Tells the operator of a fault of the console itself. */
  readonly onFault: (exchange: Exchange, cause: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}
