// An app goes in, Node's HTTP server around it comes out, with its time-outs and with answers to what is no HTTP (`security.md` 20, 24).
import { createServer, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UsageError } from '../engine/usage-error.js';
import type { App } from './create-app.js';

export interface HttpTimeouts {
  /** Milliseconds from the first byte to the end of the headers. */
  readonly headersMs: number;
  /** Milliseconds from the first byte to the end of the body. */
  readonly requestMs: number;
  /** How often connections are looked at for both, in milliseconds. */
  readonly checkMs: number;
}

export const defaultTimeouts: HttpTimeouts = { headersMs: 30_000, requestMs: 60_000, checkMs: 1000 };

/** Longer than proxies keep theirs, so that none sends a request into a connection that is just being closed. */
const KEEP_ALIVE_MS = 65_000;

export function createHttpServer(app: App, timeouts: HttpTimeouts = defaultTimeouts): Server {
  // No literal at the call: the types of Node 18.0 do not know all of these yet.
  const options = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
    // The app refuses such requests itself: Node's own answer is empty.
    requireHostHeader: false,
  };
  const server = createServer(options);
  /** The last answer of each connection: a later request that cannot be read must not cut it off. */
  const last = new WeakMap<object, ServerResponse>();
  server.on('request', (request, response) => {
    last.set(request.socket, response);
    app.listener(request, response);
  });
  server.on('checkContinue', (request, response) => {
    last.set(request.socket, response);
    app.onContinue(request, response);
  });
  server.on('checkExpectation', app.onExpectation);
  // Without this, CONNECT would be cut off without an answer.
  server.on('connect', (request, socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // The type says Duplex; an HTTP server without TLS has sockets.
    response.assignSocket(socket as Socket);
    response.once('finish', () => close(socket as Socket, ''));
    socket.on('error', () => undefined);
    app.listener(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The type says Duplex; an HTTP server without TLS has sockets.
    endBadly(socket as Socket, last.get(socket), () => app.badRequest(error.code), error.code);
  });
  return server;
}

/** Tells what is wrong and closes; in the middle of another answer, after it. */
function endBadly(socket: Socket, before: ServerResponse | undefined, answer: () => string, code: string | undefined): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
  } else if (before === undefined || before.writableFinished || !before.req.complete) {
    if (before?.headersSent === true && !before.writableFinished) socket.destroy();
    else close(socket, answer());
  } else {
    before.once('finish', () => close(socket, answer()));
  }
}

/** How long a client may take to read why it was refused. */
const LINGER_MS = 1000;

/** What is still arriving is read and dropped: unread bytes would make the closing a reset, and the answer could be lost. */
function close(socket: Socket, text: string): void {
  if (!socket.writable) return;
  socket.end(text);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Resolves with the port once connections are accepted.
 * @throws UsageError where the port or the address cannot be had (`security.md` 34)
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen({ port, host, backlog: 1024 }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): UsageError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new UsageError(
        `Port ${port} is already in use: stop the other program, or choose another port with --port (0 picks a free one).`,
      );
    case 'EACCES':
    case 'EPERM':
      return new UsageError(
        `Port ${port} is not allowed for this user: those below 1024 often need more rights, so choose another one with --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new UsageError(
        `${JSON.stringify(host)} is no address of this machine: leave --host out to listen on every one, or give 127.0.0.1 for this machine only.`,
      );
    default:
      return new UsageError(
        `The server cannot listen on port ${port} of ${host}: the system says ${error.code ?? 'nothing more'}.`,
      );
  }
}
