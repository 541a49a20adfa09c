// `POST` to a workflow, from its headers to its answer: used by the direct path and by Express's routes alike.
import type { WfRecord } from '../../runtime/types.js';
import type { Answer } from './answer.js';
import { type Exchange, hasBody } from './exchange.js';
import { parseRequest, refuseHeaders } from './parse-request.js';
import { readBody } from './read-body.js';
import { fault, type Refusal, stopping, tooLarge, tooMany } from './refusal.js';
import type { Route } from './route-table.js';
import type { RunWorkflow } from './run-workflow.js';
import type { Runs } from './runs.js';
import type { ServerLog } from './server-log.js';

/** Answers by itself, sooner or later; never throws. */
export type Post = (exchange: Exchange, route: Route) => void;

export interface PostOptions {
  readonly answer: Answer;
  readonly runs: Runs;
  readonly log: ServerLog;
  readonly run: RunWorkflow;
  /** In bytes. */
  readonly maxBody: number;
}

export function createPost({ answer, runs, log, run, maxBody }: PostOptions): Post {
  const noRoom = (): Refusal | undefined => (runs.stopping ? stopping : runs.full ? tooMany : undefined);

  const refuse = (exchange: Exchange, refusal: Refusal): void => answer.refuse(exchange, refusal);

  const start = async (exchange: Exchange, route: Route, record: WfRecord): Promise<void> => {
    runs.enter();
    try {
      answer.send(exchange, await run(exchange, route, record));
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) refuse(exchange, fault);
    } finally {
      // Only now: who waits for the last run waits for its answer as well.
      runs.leave();
    }
  };

  const hear = (exchange: Exchange, route: Route, body: Buffer): void => {
    const parsed = parseRequest(body);
    // Bodies may take their time: there may be no room any more.
    const refusal = parsed.ok ? noRoom() : parsed.refusal;
    if (refusal !== undefined) refuse(exchange, refusal);
    else if (parsed.ok) void start(exchange, route, parsed.record);
  };

  const read = (exchange: Exchange, route: Route): void => {
    if (exchange.mustContinue) {
      exchange.mustContinue = false;
      exchange.response.writeContinue();
    }
    readBody(exchange.request, maxBody, (body) => {
      if (body === 'gone') log.brokenOff(exchange);
      else if (body === 'too large') refuse(exchange, tooLarge(maxBody));
      else hear(exchange, route, body);
    });
  };

  return (exchange, route) => {
    const refusal = noRoom() ?? refuseHeaders(exchange.request.headers, maxBody);
    if (refusal !== undefined) refuse(exchange, refusal);
    else if (hasBody(exchange.request)) read(exchange, route);
    else void start(exchange, route, {});
  };
}
