// The console on a free port of 127.0.0.1, over a fake store, for tests with and without a browser.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import express from 'express';
import { createWrongTokens } from '../../src/access/rate-limit.js';
import type { ConsoleAccess, ServedWorkflow } from '../../src/console/console-options.js';
import { createConsole } from '../../src/console/create-console.js';
import { createEngine } from '../../src/engine/engine.js';
import { createFakeStore, type FakeStore } from './fake-store.js';

export interface ConsoleServer {
  readonly store: FakeStore;
  readonly url: string;
  readonly port: number;
  readonly faults: unknown[];
  readonly server: Server;
  /** Drops every connection and accepts none until `up` is called. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ConsoleServerOptions {
  readonly access?: Partial<ConsoleAccess>;
  readonly workflows?: readonly ServedWorkflow[];
  readonly store?: FakeStore;
}

type Exchange = { request: IncomingMessage; response: ServerResponse; target: string; path: string };

export async function startConsole({
  access,
  workflows = [],
  store = createFakeStore(),
}: ConsoleServerOptions = {}): Promise<ConsoleServer> {
  const faults: unknown[] = [];
  const engine = createEngine({ env: {}, mock: true });
  const console = await createConsole<Exchange>({
    store,
    workflows: () => workflows,
    access: { token: undefined, isLoopback: true, ...access },
    wrongTokens: createWrongTokens(),
    baseOf: ({ headers }) => `http://${headers.host}`,
    send({ request, response }, { status, text, type, headers }) {
      response.writeHead(status, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(text)), ...headers]);
      response.end(request.method === 'HEAD' ? undefined : text);
    },
    readBody,
    startRun: () => Promise.reject(new Error('The fake store starts nothing.')),
    tryOut: (prepared, request, mock) => engine.run(prepared, request, { mock }),
    isUsable: () => true,
    onFault: (_, cause) => void faults.push(cause),
  });
  const answer = express();
  answer.disable('x-powered-by');
  answer.use((request, response, next) => {
    const target = request.url;
    response.locals.exchange = { request, response, target, path: target.split('?')[0] ?? '/' };
    next();
  }, console.router);
  let server = createServer(answer);
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  // A server that listens on TCP has an address of this type.
  const { port } = server.address() as AddressInfo;
  const down = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const up = async (): Promise<void> => {
    server = createServer(answer);
    await listen(port);
  };
  const close = async (): Promise<void> => {
    console.close();
    await down();
  };
  return { store, url: `http://127.0.0.1:${port}`, port, faults, server, down, up, close };
}

/** As above, until the end of a test. */
export async function consoleFor(t: TestContext, options: ConsoleServerOptions = {}): Promise<ConsoleServer> {
  const started = await startConsole(options);
  t.after(started.close);
  return started;
}

async function readBody({ request }: Exchange, limit: number): Promise<Uint8Array | 'too large' | 'gone'> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request) {
      size += piece.length;
      if (size > limit) return 'too large';
      pieces.push(piece);
    }
  } catch {
    return 'gone';
  }
  return Buffer.concat(pieces);
}
