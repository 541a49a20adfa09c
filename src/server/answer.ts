// A status and a body go in, one write to the client goes out. Every answer of the server passes here: its headers are set in one place.
import { type Exchange, hasBody } from './exchange.js';
import { drain } from './read-body.js';
import { bodyOf, type Refusal } from './refusal.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

export interface Reply {
  readonly status: number;
  /** Left out: an answer without content (204). */
  readonly text?: string;
  /** JSON where it is left out. */
  readonly type?: string;
  /** Further headers, names and values by turns. */
  readonly headers?: readonly string[];
  /** `completed`, `rejected` or `error` where a workflow ran. */
  readonly outcome?: string;
}

export interface Answer {
  /** A client that has gone is no error. */
  send(exchange: Exchange, reply: Reply): void;
  refuse(exchange: Exchange, refusal: Refusal): void;
}

export interface AnswerOptions {
  /** Headers that every answer carries, names and values by turns: those of CORS. */
  readonly headers: readonly string[];
  /** Connections are not kept once the server stops. */
  readonly isStopping: () => boolean;
  /** Told of each answer; `gone`: nobody is there to read it. */
  readonly onAnswer: (exchange: Exchange, reply: Reply, gone: boolean) => void;
}

export function createAnswer({ headers: common, isStopping, onAnswer }: AnswerOptions): Answer {
  const send: Answer['send'] = (exchange, reply) => {
    const { request, response } = exchange;
    const gone = request.socket.destroyed;
    const headers = ['X-Request-Id', exchange.id];
    if (reply.text !== undefined) {
      headers.push('Content-Type', reply.type ?? JSON_TYPE, 'Content-Length', String(Buffer.byteLength(reply.text)));
    }
    if (common.length > 0) headers.push(...common);
    if (reply.headers !== undefined) headers.push(...reply.headers);
    // A client that was never told to continue may or may not send its body now: only a new connection is clear again.
    if (exchange.mustContinue || isStopping()) headers.push('Connection', 'close');
    else if (!request.complete && hasBody(request)) drain(request);
    response.writeHead(reply.status, headers);
    response.end(request.method === 'HEAD' ? undefined : reply.text);
    onAnswer(exchange, reply, gone);
  };
  return {
    send,
    refuse: (exchange, refusal) =>
      send(exchange, { status: refusal.status, text: bodyOf(refusal), headers: refusal.headers ?? [] }),
  };
}
