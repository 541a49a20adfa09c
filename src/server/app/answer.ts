// Writes answers to clients: status, headers and body. Every answer of the server goes through here.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { WrongTokens } from '../../access/rate-limit.js';
import { givenToken } from '../../access/roles.js';
import { type HttpExchange, hasBody, newRequestId } from './exchange.js';
import { type PublicAddress, withPrefix } from './public-address.js';
import { drain } from './read-body.js';
import { type Refusal, refusalText, tooManyGuesses } from './refusal.js';

const JSON_TYPE = 'application/json; charset=utf-8';

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
  /** Answers a wrong token later, and later each time. */
  refuse(exchange: HttpExchange, refusal: Refusal): void;
}

interface AnswerOptions {
  readonly address: PublicAddress;
  readonly wrongTokens: WrongTokens;
  /** Connections are closed once the server is stopping. */
  readonly isStopping: () => boolean;
  /** Called for each answer; `gone` means that the client has disconnected. */
  readonly onAnswer: (exchange: HttpExchange, reply: Reply, gone: boolean) => void;
}

export function createAnswer({ address, wrongTokens, isStopping, onAnswer }: AnswerOptions): Answer {
  const slowReaders = new SlowReaders();
  const send: Answer['send'] = (exchange, unaddressed) => {
    const { request, response } = exchange;
    const reply = withPrefix(unaddressed, address.prefixOf(request));
    const gone = request.socket.destroyed;
    const headers = ['X-Request-Id', exchange.id];
    if (reply.text !== undefined) {
      const bytes = Buffer.byteLength(reply.text);
      headers.push('Content-Type', reply.type ?? JSON_TYPE, 'Content-Length', String(bytes));
      slowReaders.watch(response, bytes);
    }
    if (reply.headers !== undefined) headers.push(...reply.headers);
    // A client that was never told to continue may or may not send its body now, so this connection can't be reused.
    const closes = exchange.mustContinue || isStopping() || isAmbiguous(request);
    if (closes) headers.push('Connection', 'close');
    response.writeHead(reply.status, headers);
    const text = request.method === 'HEAD' ? undefined : outsideHeap(reply.text);
    if (closes || request.complete || !hasBody(request)) response.end(text);
    else {
      if (text !== undefined) response.write(text);
      // The end of the answer may close the connection: a client that is still sending would not read why.
      drain(request, () => response.end());
    }
    onAnswer(exchange, reply, gone);
  };
  return {
    send,
    refuse(exchange, refusal) {
      const { authorization } = exchange.request.headers;
      if (refusal.status !== 401 || authorization === undefined) return send(exchange, refusedReply(refusal));
      void wrongTokens.slow(exchange.request, givenToken(authorization)).then((slowed) => {
        send(exchange, refusedReply(slowed === 'busy' ? tooManyGuesses : refusal));
      });
    },
  };
}

/** HTTP/1.0 has no transfer codings, so a program in between may see another end of this request (RFC 9112, 6.1). */
const isAmbiguous = ({ httpVersionMinor, headers }: IncomingMessage): boolean =>
  httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined;

/** From this length on, waiting answers could fill the heap. Short ones are written faster as they are. */
const LONG = 256 * 1024;

/** A client may take its time to read a long answer. */
const outsideHeap = (text: string | undefined): string | Buffer | undefined =>
  text !== undefined && text.length >= LONG ? Buffer.from(text) : text;

export const refusedReply = (refusal: Refusal): Reply => ({
  status: refusal.status,
  text: refusalText(refusal),
  headers: refusal.headers ?? [],
});

export const jsonReply = (status: number, body: object, headers: readonly string[] = []): Reply => ({
  status,
  text: JSON.stringify(body),
  // The answer changes over time.
  headers: ['Cache-Control', 'no-store', ...headers],
});

/** @param common headers of every answer, alternating names and values. The connection is closed afterwards. */
export function rawAnswer(refusal: Refusal, common: readonly string[]): string {
  const body = refusalText(refusal);
  const headers = [
    'X-Request-Id',
    newRequestId(),
    'Content-Type',
    JSON_TYPE,
    'Content-Length',
    String(Buffer.byteLength(body)),
    ...common,
    ...(refusal.headers ?? []),
    'Date',
    new Date().toUTCString(),
    'Connection',
    'close',
  ];
  const lines = [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Disconnects clients that don't read their answers. An unread answer stays in memory until it is read or its connection is
 * closed.
 */
export interface Patience {
  /** Milliseconds that a client may go without reading any of what is waiting for it. */
  readonly stalledMs: number;
  /** Bytes that may wait to be read, over all connections. */
  readonly mostWaiting: number;
}

const usual: Patience = { stalledMs: 60_000, mostWaiting: 256 * 1024 * 1024 };
/** Smaller answers fit into the buffers of the system and are gone immediately. */
const smallAnswer = 16 * 1024;

export class SlowReaders {
  /** Oldest first. */
  readonly #waiting = new Map<Socket, number>();
  #bytes = 0;
  readonly #patience: Patience;

  constructor(patience = usual) {
    this.#patience = patience;
  }

  /** Call before sending each answer, with its size in bytes. */
  watch(response: ServerResponse, bytes: number): void {
    const { socket } = response;
    const { stalledMs, mostWaiting } = this.#patience;
    // Pipelined answers behind the first have no socket yet, but their client must have read the one before.
    if (bytes < smallAnswer || socket === null) return;
    // Node.js closes the connection if nothing of what is waiting has been read since it last checked.
    socket.setTimeout(stalledMs);
    this.#leave(socket);
    this.#waiting.set(socket, bytes);
    this.#bytes += bytes;
    const leave = (): void => this.#leave(socket);
    response.once('close', leave).once('finish', () => {
      leave();
      // Node.js has already set its own timeout for the next request, unless that one is waiting for its answer.
      if (socket.timeout === stalledMs) socket.setTimeout(0);
    });
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= mostWaiting || oldest === socket) break;
      this.#leave(oldest);
      oldest.destroy();
    }
  }

  #leave(socket: Socket): void {
    this.#bytes -= this.#waiting.get(socket) ?? 0;
    this.#waiting.delete(socket);
  }
}
