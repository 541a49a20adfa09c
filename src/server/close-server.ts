// Ends a server: runs in flight get their time, idle connections none (`behaviour.md` 4, SIGTERM; `security.md` 33).
import type { Server } from 'node:http';
import type { App } from './create-app.js';

/** How long aborted runs may take to end, and clients to read their answers. */
const LINGER_MS = 1000;
const LOOK_MS = 20;

export interface Closed {
  /** Runs that had to be aborted. */
  readonly aborted: number;
}

/**
 * From the first moment nothing starts any more: whatever still comes is answered with 503, also `GET /health`, so that a load balancer can see it; with the last
 * run, or at the end of the grace time, the port is given back. Resolves when no connection is left.
 * @param onDrained told when no run is left, in the same turn as the last answer
 */
export async function closeServer(server: Server, app: App, graceMs: number, onDrained = (): void => undefined): Promise<Closed> {
  app.runs.stop();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  try {
    let aborted = 0;
    if (!(await within(app.runs.drained(), graceMs))) {
      aborted = app.runs.inFlight;
      app.runs.abort('the server was stopped before the run had ended');
      await within(app.runs.drained(), LINGER_MS);
    }
    onDrained();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    if (!(await within(closed, LINGER_MS))) {
      server.closeAllConnections();
      await closed;
    }
    return { aborted };
  } finally {
    clearInterval(idle);
  }
}

/** Whether the task has ended in this time. */
async function within(task: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([task.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
