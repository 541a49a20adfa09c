// Handles a `POST` to a workflow from its headers to its answer. The direct path and Express's routes both use it.
import { acceptRequest } from '../../runtime/inputs/accept-request.js';
import type { WfRecord } from '../../runtime/types.js';
import type { Answer } from './answer.js';
import type { BodyRoom } from './body-room.js';
import type { HttpExchange } from './exchange.js';
import { readRecord } from './read-record.js';
import { faultAfter, type Refusal, stopping, tooMany, unfit } from './refusal.js';
import type { Route } from './route-table.js';
import type { AcceptedBy, RunWorkflow } from './run-workflow.js';
import type { Runs } from './runs.js';
import type { ServerLog } from './server-log.js';

/** Always answers in the end, and never throws. */
export type Post = (exchange: HttpExchange, route: Route) => void;

export interface PostOptions {
  readonly answer: Answer;
  readonly runs: Runs;
  readonly log: ServerLog;
  readonly run: RunWorkflow;
  /** In bytes. */
  readonly maxBody: number;
  /** Shared by all bodies that are being read. */
  readonly room: BodyRoom;
}

export function createPost({ answer, runs, log, run, maxBody, room }: PostOptions): Post {
  const noRoom = (): Refusal | undefined => (runs.stopping ? stopping : runs.full ? tooMany : undefined);

  const refuse = (exchange: HttpExchange, refusal: Refusal): void => answer.refuse(exchange, refusal);

  const start = async (exchange: HttpExchange, route: Route, request: WfRecord, by?: AcceptedBy): Promise<void> => {
    runs.enter();
    try {
      answer.send(exchange, await run(exchange, route, request, by));
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) refuse(exchange, faultAfter(cause));
    } finally {
      // Not earlier: a wait for the last run includes its answer.
      runs.leave();
    }
  };

  /** Starts a run if the request fits the inputs. One that was accepted earlier, with its key, need not fit the present ones. */
  const accept = (exchange: HttpExchange, route: Route, record: WfRecord): void => {
    const { inputs, timezone } = route.prepared.workflow;
    if (inputs === undefined) {
      void start(exchange, route, record);
      return;
    }
    const { request, problems } = acceptRequest(inputs, record, { timezone });
    if (problems.length === 0) void start(exchange, route, request, { sent: record });
    else if (exchange.request.headers['idempotency-key'] === undefined) refuse(exchange, unfit(problems));
    else void start(exchange, route, record, { unfit: unfit(problems) });
  };

  return (exchange, route) => {
    const full = noRoom();
    if (full !== undefined) return refuse(exchange, full);
    readRecord(exchange, maxBody, room, (body) => {
      if (body === 'gone') return log.brokenOff(exchange);
      // Check again for room, because a slow body gives other runs time to start.
      const refusal = body.ok ? noRoom() : body.refusal;
      if (refusal !== undefined) refuse(exchange, refusal);
      else if (body.ok) accept(exchange, route, body.record);
    });
  };
}
