// Performs tasks for databases: finds the pool for the address, runs the statement on a connection, and converts the result.

import type { Cancellation } from '../../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { type Failure, noConnection, unusableAddress } from '../../../runtime/services/call-errors.js';
import type { DatabaseTask } from '../../../runtime/services/connector-types.js';
import { Pool } from '../pool.js';
import { type DatabaseAddress, parseDatabaseAddress } from './address.js';
import { answerOf } from './result.js';
import { type DatabaseSession, Failed } from './session.js';

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
