// Shuts a server down: gives runs in flight time to finish and closes idle connections immediately.
import type { Server } from 'node:http';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { App } from '../app/create-app.js';

/** Milliseconds for aborted runs to end and for clients to read their answers. */
const LINGER_MS = 1000;
const POLL_MS = 20;

interface Closed {
  /** Number of runs that were aborted. */
  readonly aborted: number;
}

/**
 * Nothing new starts after this call. Further requests, including `GET /health`, get a 503, which tells load balancers to go
 * elsewhere. The port is released after the last run or the grace time. Resolves when all connections are closed.
 * @param onDrained called when the last run has ended, in the same turn as its answer
 * @param store the store of the server's runs, which is closed
 */
export async function closeServer(
  server: Server,
  app: App,
  graceMs: number,
  onDrained = (): void => undefined,
  store?: Pick<DurableEngine, 'close'>,
): Promise<Closed> {
  app.runs.stop();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), POLL_MS);
  try {
    let aborted = 0;
    // Runs of a store are released rather than aborted: another process, or the next one here, continues them.
    // Their callers get the address of the run, and senders of messages and answers an answer, so the store must still answer.
    await store?.close(graceMs, async () => void (await within(Promise.all([app.runs.drained(), app.answered()]), LINGER_MS)));
    const drained = app.runs.drained().then(() => true);
    if ((await within(drained, store === undefined ? graceMs : LINGER_MS)) === undefined) {
      aborted = app.runs.inFlight;
      app.runs.abort('the server stopped before the run had ended');
      await within(drained, LINGER_MS);
    }
    onDrained();
    const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
    if ((await within(closed, LINGER_MS)) === undefined) {
      server.closeAllConnections();
      await closed;
    }
    return { aborted };
  } finally {
    clearInterval(idle);
  }
}

/** The result of the promise, or `undefined` after `ms` milliseconds. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    promise.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
