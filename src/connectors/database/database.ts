// Performs tasks for databases: finds the pool for the address, runs the statement on a connection, and converts the result.
import type { Cancellation } from '../../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { type Failure, noConnection, unusableAddress } from '../../../runtime/services/call-errors.js';
import type { DatabaseTask } from '../../../runtime/services/connector-types.js';
import { type DatabaseAddress, parseDatabaseAddress } from './address.js';
import { answerOf, type DatabaseSession, Failed } from './result.js';

/** Maximum connections per address. */
const mostConnections = 10;
/** Maximum processes per SQLite file. More would not help, because SQLite allows one writer at a time. */
const mostProcesses = 4;
/** Milliseconds that cancelled statements get to end. */
const patience = 3_000;
/** Milliseconds after which an idle connection is closed. */
const idleMs = 10_000;

export interface Databases {
  perform(task: DatabaseTask, cancellation: Cancellation): Promise<AttemptResult>;
  /** Closes all connections after cancelled statements have ended. */
  close(): Promise<void>;
}

export function createDatabases(): Databases {
  const pools = new Map<string, Pool<DatabaseSession>>();
  /** Tasks in progress, including abandoned ones, whose statements may still have to be cancelled. */
  const underWay = new Set<Promise<AttemptResult>>();

  function poolOf(key: string, address: DatabaseAddress): Pool<DatabaseSession> {
    let pool = pools.get(key);
    if (pool === undefined) {
      const made: Pool<DatabaseSession> = new Pool<DatabaseSession>({
        open: async (signal) => {
          const session = await connect(address, signal);
          session.onBroken(() => made.forget(session));
          return session;
        },
        close: (session) => session.close(),
        most: address.dialect === 'sqlite' ? mostProcesses : mostConnections,
        idleMs,
      });
      pool = made;
      pools.set(key, made);
    }
    return pool;
  }

  return {
    async perform(task, cancellation) {
      const address = parseDatabaseAddress(task.address, task.base);
      if ('problem' in address) return unusableAddress([], address.problem);
      const { signal } = cancellation;
      const work = performIn(poolOf(JSON.stringify(address), address), task, signal).catch((error: unknown) =>
        failureOf(error, signal),
      );
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    async close() {
      await Promise.race([Promise.allSettled(underWay), new Promise((resolve) => setTimeout(resolve, patience).unref())]);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      pools.clear();
    },
  };
}

async function performIn(pool: Pool<DatabaseSession>, task: DatabaseTask, signal: AbortSignal): Promise<AttemptResult> {
  const session = await pool.acquire(signal);
  try {
    return answerOf(await session.perform(task, signal), task.wish);
  } finally {
    pool.release(session, session.isUsable);
  }
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof Failed) return error.failure;
  // The caller has given up and reports its own reason.
  if (signal.aborted) return noConnection('the call was cancelled');
  throw error;
}

/** Loads a driver for its first connection, because loading one takes longer than most commands run. */
async function connect(address: DatabaseAddress, signal: AbortSignal): Promise<DatabaseSession> {
  if (address.dialect === 'sqlite') return (await import('./sqlite.js')).openSqlite(address.file);
  if (address.dialect === 'postgres') return (await import('./postgres.js')).connectPostgres(address, signal);
  return (await import('./mysql.js')).connectMysql(address, signal);
}

// A pool of connections to one address: opened on demand, kept for a while, limited in number.

interface PoolOptions<T> {
  /** Rejects and cleans up when the signal aborts. */
  readonly open: (signal: AbortSignal) => Promise<T>;
  readonly close: (connection: T) => Promise<void>;
  /** Maximum connections. */
  readonly most: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly idleMs: number;
}

/** Receives a connection, or `undefined`: then it may open one, which is counted already. */
interface Waiting<T> {
  readonly give: (connection: T | undefined) => void;
  readonly fail: (error: Error) => void;
}

interface Idle<T> {
  readonly connection: T;
  readonly timer: NodeJS.Timeout;
}

class Pool<T> {
  readonly #options: PoolOptions<T>;
  readonly #idle: Idle<T>[] = [];
  readonly #waiting: Waiting<T>[] = [];
  readonly #closing = new Set<Promise<void>>();
  /** Number of connections that are open or opening. */
  #count = 0;
  #closed = false;

  constructor(options: PoolOptions<T>) {
    this.#options = options;
  }

  /** A connection for one task, first come, first served. Rejects when the signal aborts. */
  async acquire(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed) throw new Error('The pool is closed');
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      return idle.connection;
    }
    if (this.#count < this.#options.most) this.#count++;
    else {
      const given = await this.#turn(signal);
      if (given !== undefined) return given;
    }
    try {
      return await this.#options.open(signal);
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  /** Returns a connection to the pool, which reuses or closes it. */
  release(connection: T, isUsable: boolean): void {
    if (!isUsable || this.#closed) {
      this.#discard(connection);
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.give(connection);
      return;
    }
    const timer = setTimeout(() => this.forget(connection), this.#options.idleMs);
    timer.unref();
    this.#idle.push({ connection, timer });
  }

  /** Removes an idle connection that broke or expired. */
  forget(connection: T): void {
    const index = this.#idle.findIndex((idle) => idle.connection === connection);
    if (index === -1) return;
    const [idle] = this.#idle.splice(index, 1);
    clearTimeout(idle?.timer);
    this.#discard(connection);
  }

  /** Closes idle connections now and the others when they are released. Resolves when the idle ones are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { connection, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      this.#discard(connection);
    }
    for (const { fail } of this.#waiting.splice(0)) fail(new Error('The pool is closed'));
    await Promise.all(this.#closing);
  }

  #discard(connection: T): void {
    this.#free();
    const closing = this.#options.close(connection).catch(() => undefined);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  /** Frees a place for the task that has waited longest. */
  #free(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#count--;
    else next.give(undefined);
  }

  #turn(signal: AbortSignal): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const settle = (end: () => void): void => {
        signal.removeEventListener('abort', stop);
        end();
      };
      const waiting: Waiting<T> = {
        give: (connection) => settle(() => resolve(connection)),
        fail: (error) => settle(() => reject(error)),
      };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}
