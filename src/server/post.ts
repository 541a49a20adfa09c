// Handles a `POST` to a workflow from its headers to its answer. The direct path and Express's routes both use it.
import { acceptRequest } from '../../runtime/inputs/accept-request.js';
import type { WfRecord } from '../../runtime/types.js';
import type { Answer } from './answer.js';
import type { BodyRoom } from './body-room.js';
import { type HttpExchange, hasBody } from './exchange.js';
import { parseRequest, refuseHeaders } from './parse-request.js';
import { readBody } from './read-body.js';
import { bodyTooLarge, fault, type Refusal, stopping, tooMany, tooMuchAtOnce, unfit } from './refusal.js';
import type { Route } from './route-table.js';
import type { RunWorkflow } from './run-workflow.js';
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

  const start = async (exchange: HttpExchange, route: Route, record: WfRecord): Promise<void> => {
    runs.enter();
    try {
      answer.send(exchange, await run(exchange, route, record));
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) refuse(exchange, fault);
    } finally {
      // Not earlier: a wait for the last run includes its answer.
      runs.leave();
    }
  };

  /** Starts a run if the request fits the inputs. */
  const accept = (exchange: HttpExchange, route: Route, record: WfRecord): void => {
    const { inputs, timezone } = route.prepared.workflow;
    if (inputs === undefined) {
      void start(exchange, route, record);
      return;
    }
    const { request, problems } = acceptRequest(inputs, record, { timezone });
    if (problems.length > 0) refuse(exchange, unfit(problems));
    else void start(exchange, route, request);
  };

  const hear = (exchange: HttpExchange, route: Route, body: Buffer): void => {
    const parsed = parseRequest(body);
    // Check again for room, because a slow body gives other runs time to start.
    const refusal = parsed.ok ? noRoom() : parsed.refusal;
    if (refusal !== undefined) refuse(exchange, refusal);
    else if (parsed.ok) accept(exchange, route, parsed.record);
  };

  const read = (exchange: HttpExchange, route: Route): void => {
    if (exchange.mustContinue) {
      exchange.mustContinue = false;
      exchange.response.writeContinue();
    }
    readBody(exchange.request, maxBody, room, (body) => {
      if (body === 'gone') log.brokenOff(exchange);
      else if (body === 'too large') refuse(exchange, bodyTooLarge(maxBody));
      else if (body === 'no room') refuse(exchange, tooMuchAtOnce);
      else hear(exchange, route, body);
    });
  };

  return (exchange, route) => {
    const refusal = noRoom() ?? refuseHeaders(exchange.request.headers, maxBody);
    if (refusal !== undefined) refuse(exchange, refusal);
    else if (hasBody(exchange.request)) read(exchange, route);
    else accept(exchange, route, {});
  };
}
