// Writes an answer to the client: status, headers and body. Every answer of the server goes through here.
import { type HttpExchange, hasBody } from './exchange.js';
import { drain } from './read-body.js';
import { type Refusal, refusalText } from './refusal.js';
import { SlowReaders } from './slow-readers.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

export interface Reply {
  readonly status: number;
  /** Absent for an answer without content (204). */
  readonly text?: string;
  /** Default: JSON. */
  readonly type?: string;
  /** Extra headers, alternating names and values. */
  readonly headers?: readonly string[];
  /** `completed`, `rejected` or `error` if a workflow ran. */
  readonly outcome?: string;
}

export interface Answer {
  /** Does not fail if the client has gone away. */
  send(exchange: HttpExchange, reply: Reply): void;
  refuse(exchange: HttpExchange, refusal: Refusal): void;
}

export interface AnswerOptions {
  /** CORS headers for every answer, alternating names and values. */
  readonly headers: readonly string[];
  /** Connections are closed once the server is stopping. */
  readonly isStopping: () => boolean;
  /** Called for each answer; `gone` means that the client has disconnected. */
  readonly onAnswer: (exchange: HttpExchange, reply: Reply, gone: boolean) => void;
}

export function createAnswer({ headers: common, isStopping, onAnswer }: AnswerOptions): Answer {
  const slowReaders = new SlowReaders();
  const send: Answer['send'] = (exchange, reply) => {
    const { request, response } = exchange;
    const gone = request.socket.destroyed;
    const headers = ['X-Request-Id', exchange.id];
    if (reply.text !== undefined) {
      const bytes = Buffer.byteLength(reply.text);
      headers.push('Content-Type', reply.type ?? JSON_TYPE, 'Content-Length', String(bytes));
      slowReaders.watch(response, bytes);
    }
    if (common.length > 0) headers.push(...common);
    if (reply.headers !== undefined) headers.push(...reply.headers);
    // A client that was never told to continue may or may not send its body now, so this connection can't be reused.
    if (exchange.mustContinue || isStopping()) headers.push('Connection', 'close');
    else if (!request.complete && hasBody(request)) drain(request);
    response.writeHead(reply.status, headers);
    response.end(request.method === 'HEAD' ? undefined : reply.text);
    onAnswer(exchange, reply, gone);
  };
  return {
    send,
    refuse: (exchange, refusal) =>
      send(exchange, { status: refusal.status, text: refusalText(refusal), headers: refusal.headers ?? [] }),
  };
}
