// Wraps an app in a Node.js HTTP server with timeouts, and answers connections that don't speak valid HTTP.
import { createServer, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UsageError } from '../../engine/usage-error.js';
import type { App } from '../app/create-app.js';
import { beginPipelined, shareTurns } from '../app/read-body.js';

export interface HttpTimeouts {
  /** Milliseconds from the first byte to the end of the headers. */
  readonly headersMs: number;
  /** Milliseconds from the first byte to the end of the body. */
  readonly requestMs: number;
  /** Milliseconds between checks of both limits. */
  readonly checkMs: number;
}

const defaultTimeouts: HttpTimeouts = { headersMs: 30_000, requestMs: 60_000, checkMs: 1000 };

/** Longer than the timeout of common proxies, so that none sends a request on a connection that is about to close. */
const KEEP_ALIVE_MS = 65_000;

export function createHttpServer(app: App, timeouts: HttpTimeouts = defaultTimeouts): Server {
  // A variable instead of a literal, because the types of Node 18.0 lack some of these options.
  const options = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
    // The app rejects such requests itself, because the answer of Node.js has no body.
    requireHostHeader: false,
  };
  const server = createServer(options);
  // No limit: beyond 2,000, Node.js would silently drop headers. Their total size is limited anyway.
  server.maxHeadersCount = 0;
  server.on('connection', shareTurns);
  server.on('request', (request, response) => {
    if (remember(request.socket, response)) beginPipelined(request.socket, () => app.listener(request, response));
    else app.listener(request, response);
  });
  server.on('checkContinue', (request, response) => {
    remember(request.socket, response);
    app.onContinue(request, response);
  });
  server.on('checkExpectation', app.onExpectation);
  // Without this handler, Node.js drops CONNECT without an answer.
  server.on('connect', (request, socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // Typed as Duplex, but an HTTP server without TLS always has sockets.
    response.assignSocket(socket as Socket);
    response.once('finish', () => close(socket as Socket, ''));
    socket.on('error', () => undefined);
    app.listener(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Typed as Duplex, but an HTTP server without TLS always has sockets.
    rejectConnection(socket as Socket, unfinished.get(socket)?.response, () => app.badRequest(error.code), error.code);
  });
  return server;
}

/** The unfinished answer on each connection, the last one if several are pipelined. An unreadable request after it must not cut it off. */
const unfinished = new WeakMap<object, { response: ServerResponse | undefined }>();

/** Returns whether the connection has another one. */
function remember(socket: Socket, response: ServerResponse): boolean {
  const known = unfinished.get(socket);
  const isPipelined = known?.response !== undefined;
  if (known === undefined) unfinished.set(socket, { response });
  else known.response = response;
  response.on('finish', forget);
  return isPipelined;
}

/** Otherwise an idle connection would keep its last request in memory. */
function forget(this: ServerResponse): void {
  const known = unfinished.get(this.req.socket);
  if (known?.response === this) known.response = undefined;
}

/** Reports the error to the client and closes the connection, after the current answer if there is one. */
function rejectConnection(
  socket: Socket,
  before: ServerResponse | undefined,
  answer: () => string,
  code: string | undefined,
): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
  } else if (before === undefined || before.writableFinished || !before.req.complete) {
    if (before?.headersSent === true && !before.writableFinished) socket.destroy();
    else close(socket, answer());
  } else {
    before.once('finish', () => close(socket, answer()));
  }
}

/** Milliseconds that a client gets to read the refusal. */
const LINGER_MS = 1000;

/**
 * Drains what is still arriving: closing with unread bytes would reset the connection, and the client could miss the answer.
 */
function close(socket: Socket, text: string): void {
  if (!socket.writable) return;
  socket.end(text);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Resolves with the port once the server accepts connections.
 * @throws UsageError if the port or the address is not available
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
        `Port ${port} is already in use. Stop the other program, or choose another port with --port (0 picks a free one).`,
      );
    case 'EACCES':
    case 'EPERM':
      return new UsageError(
        `You don't have permission to use port ${port}. Ports below 1024 often require more rights; choose another one with --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new UsageError(
        `${JSON.stringify(host)} is not an address of this machine. Leave out --host to listen on this machine only, or use 0.0.0.0 to listen on all of its addresses.`,
      );
    default:
      return new UsageError(`The server can't listen on port ${port} of ${host}: ${error.code ?? 'the system gave no reason'}.`);
  }
}
