// A whole server on a free port of 127.0.0.1, and its output, for every test that needs a real socket.
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Printer } from '../../src/engine/records/printer.js';
import { type App, type AppOptions, createApp } from '../../src/server/app/create-app.js';
import { createHttpServer, type HttpTimeouts, listen } from '../../src/server/process/http-server.js';
import { closeServer } from '../../src/server/process/run-server.js';

export interface TestServer {
  readonly app: App;
  readonly server: Server;
  /** Bytes that the server has received, over all connections. */
  readonly bytesRead: () => number;
  /** Number of open connections. */
  readonly connections: () => number;
  readonly port: number;
  readonly url: string;
  readonly out: string[];
  readonly err: string[];
}

export const collect = (lines: string[]): Printer => ({ line: (text) => void lines.push(text), flush: async () => undefined });

/** @param wishedPort of one that was there before */
export async function startServer(
  t: TestContext,
  options: AppOptions,
  timeouts?: HttpTimeouts,
  wishedPort = 0,
): Promise<TestServer> {
  const out: string[] = [];
  const err: string[] = [];
  const app = await createApp({ out: collect(out), err: collect(err), ...options });
  const server = createHttpServer(app, timeouts);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const port = await listen(server, wishedPort, '127.0.0.1');
  t.after(async () => {
    await closeServer(server, app, 0);
    await app.close();
  });
  return {
    app,
    server,
    bytesRead: () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
    connections: () => sockets.filter((socket) => !socket.destroyed).length,
    port,
    url: `http://127.0.0.1:${port}`,
    out,
    err,
  };
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** One request with its own connection. */
export async function send(url: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url, {
    ...init,
    headers: { connection: 'close', ...Object.fromEntries(new Headers(init.headers ?? {})) },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text === '' ? undefined : JSON.parse(text) };
}

export const post = (url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> =>
  send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** A connection for bytes that no client library would send. */
export interface RawClient {
  readonly socket: Socket;
  readonly write: (text: string | Uint8Array) => void;
  /** Everything received so far. */
  readonly received: () => string;
  /** Resolves once this has arrived; rejects if the connection ends before. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Resolves once the JSON bodies of this many answers have arrived. */
  readonly answers: (count: number) => Promise<string>;
  /** Resolves with everything received when the server has closed. */
  readonly closed: Promise<string>;
}

export async function rawClient(t: TestContext, port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let text = '';
  const looking = new Set<() => void>();
  const look = (): void => {
    for (const one of looking) one();
  };
  socket.on('data', (data) => {
    text += data.toString('latin1');
    look();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const when = (what: string, condition: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const one = (): void => {
        if (!condition()) return;
        looking.delete(one);
        resolve(text);
      };
      looking.add(one);
      void closed.then(() => reject(new Error(`The connection ended without ${what}: ${JSON.stringify(text.slice(-1000))}`)));
      one();
    });
  return {
    socket,
    write: (part) => void socket.write(part),
    received: () => text,
    until: (pattern) => when(String(pattern), () => pattern.test(text)),
    answers: (count) => when(`${count} answers`, () => text.endsWith('}') && text.split('HTTP/1.1 ').length > count),
    closed,
  };
}
