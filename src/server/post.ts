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

/** Never rejects. */
export type Post = (exchange: Exchange, route: Route) => Promise<void>;

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

  /** The record of the request; `undefined` where the request is over already. */
  const read = async (exchange: Exchange): Promise<WfRecord | undefined> => {
    if (exchange.mustContinue) {
      exchange.mustContinue = false;
      exchange.response.writeContinue();
    }
    const body = await readBody(exchange.request, maxBody);
    if (body === 'gone') {
      log.brokenOff(exchange);
      return undefined;
    }
    if (body === 'too large') {
      answer.refuse(exchange, tooLarge(maxBody));
      return undefined;
    }
    const parsed = parseRequest(body);
    // Bodies may take their time: there may be no room any more.
    const refusal = parsed.ok ? noRoom() : parsed.refusal;
    if (refusal !== undefined) answer.refuse(exchange, refusal);
    return refusal === undefined && parsed.ok ? parsed.record : undefined;
  };

  return async (exchange, route) => {
    const refusal = noRoom() ?? refuseHeaders(exchange.request.headers, maxBody);
    if (refusal !== undefined) return answer.refuse(exchange, refusal);
    const record = hasBody(exchange.request) ? await read(exchange) : {};
    if (record === undefined) return;
    runs.enter();
    try {
      answer.send(exchange, await run(exchange, route, record));
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) answer.refuse(exchange, fault);
    } finally {
      // Only now: who waits for the last run waits for its answer as well.
      runs.leave();
    }
  };
}
