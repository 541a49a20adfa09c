// The connections of this process to its database: whether it answers, which failures pass, and whether the key of the store is still the
// same. Work that must not be lost is retried.
import { userInfo } from 'node:os';
import { type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg';
import { causeOf } from '../../../../runtime/services/cause.js';
import type { Environment } from '../../../../runtime/types.js';
import {
  connectAsAsked,
  dropTlsWish,
  postgresUrl,
  setPart,
  type TlsWish,
  tlsOptions,
  tlsWish,
} from '../../../connectors/database/address.js';
import { causes, Failed } from '../../../connectors/database/result.js';
import { UsageError } from '../../../engine/usage-error.js';
import { stateList, unfinishedStates } from '../../model/run-rows.js';
import type { Health } from '../../model/run-views.js';
import { UntilUnusable } from '../shared/availability.js';
import type { TextSealing } from '../shared/sealing.js';
import { firstRow, forPostgres, onlyIn, type SharedSql, type SqlRow, type SqlWork, sql } from '../shared/sql.js';
import { storeLocks } from './store-tables.js';

export type DatabaseRow = Readonly<Record<string, unknown>>;

/** Runs one statement; values are `$1`, `$2` and so on. */
export type SqlCall = (sql: string, ...values: readonly unknown[]) => Promise<DatabaseRow[]>;

/** Maximum connections per process. */
const MOST_CONNECTIONS = 16;

/** Milliseconds after which the server ends an idle transaction, whose process may have been paused. */
const IDLE_TRANSACTION_MS = 5_000;
const CONNECT_MS = 5_000;
/** Time limit of a statement in milliseconds. Beyond it, the network has lost it. */
const STATEMENT_MS = 60_000;

/** Milliseconds before failed work is retried, initially and at most. */
const RETRY_MS = [50, 1_000] as const;

export class PostgresDatabase {
  readonly pool: Pool;
  /** The encryption of each connection. With `prefer`, the first one decides. */
  readonly ssl: NonNullable<ClientConfig['ssl']>;
  /** Every connection to the store passes it first. */
  readonly guard = new KeyGuard();
  readonly #onProblem: (sentence: string) => void;
  #trouble: { readonly problem: string; readonly since: string } | undefined;
  #isClosed = false;
  readonly #waiting = new UntilUnusable();
  /** Names of planned statements. */
  readonly #plans = new Map<string, string>();

  /** @throws UsageError if the database can't be reached or used */
  static async open(
    { url, tls, shown, database }: PostgresAddress,
    onProblem: (sentence: string) => void,
  ): Promise<PostgresDatabase> {
    const connect = async (encrypted: boolean): Promise<PostgresDatabase> => {
      const opened = new PostgresDatabase(url, encrypted ? tlsOptions(tls) : false, onProblem);
      try {
        await opened.pool.query('SELECT 1');
        return opened;
      } catch (error) {
        await opened.pool.end();
        throw error;
      }
    };
    try {
      return await connectAsAsked(tls, connect, new AbortController().signal);
    } catch (error) {
      const [problem, hint] = openingFault(error, database);
      throw new UsageError(`The store ${shown} cannot be opened: ${problem}.`, hint, passingFault(error) !== undefined);
    }
  }

  private constructor(url: string, ssl: PostgresDatabase['ssl'], onProblem: (sentence: string) => void) {
    this.#onProblem = onProblem;
    this.ssl = ssl;
    this.pool = new Pool({
      connectionString: url,
      ssl,
      max: MOST_CONNECTIONS,
      application_name: 'wf',
      connectionTimeoutMillis: CONNECT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
      query_timeout: STATEMENT_MS,
      keepAlive: true,
      verify: (client, done) => void this.guard.admit(client).then(() => done(), done),
    });
    // A connection that breaks while idle; the next query opens another one.
    this.pool.on('error', () => undefined);
    // If it breaks while in use, the query rejects. Without a listener, the event would end the process.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  get health(): Health {
    return this.#trouble === undefined ? { ok: true } : { ok: false, ...this.#trouble };
  }

  /** @throws the database's error */
  readonly query: SqlCall = (sql, ...values) => this.#query(undefined, sql, values);

  /** For the few statements that each run executes: the database plans them once per connection. */
  readonly planned: SqlCall = (sql, ...values) => {
    const name = this.#plans.get(sql) ?? `wf ${this.#plans.size}`;
    this.#plans.set(sql, name);
    return this.#query(name, sql, values);
  };

  async #query(name: string | undefined, text: string, values: readonly unknown[]): Promise<DatabaseRow[]> {
    try {
      const { rows } = await this.pool.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
      this.#report(undefined);
      return rows;
    } catch (error) {
      this.note(error);
      throw error;
    }
  }

  /** Performs repeatable work, and retries while the database is unavailable. @throws if it can never succeed */
  async persist<T>(work: () => Promise<T>): Promise<T> {
    for (let wait: number = RETRY_MS[0]; ; wait = Math.min(wait * 2, RETRY_MS[1])) {
      try {
        const result = await work();
        this.#report(undefined);
        return result;
      } catch (error) {
        if (this.note(error) === undefined || this.#isClosed) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
      }
    }
  }

  /** @throws what `work` or the database throws; then nothing has changed */
  async transaction<T>(work: (query: SqlCall) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let fault: unknown;
    try {
      await client.query('BEGIN');
      const result = await work(async (sql, ...values) => (await client.query(sql, [...values])).rows);
      await client.query('COMMIT');
      this.#report(undefined);
      return result;
    } catch (error) {
      fault = error;
      this.note(error);
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      // A connection that failed is not reused.
      client.release(passingFault(fault) !== undefined);
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      this.note(error);
      throw error;
    }
  }

  /** Closes the connections of this process that nothing uses. */
  async closeIdle(): Promise<void> {
    const idle = await Promise.all(Array.from({ length: this.pool.idleCount }, () => this.pool.connect()));
    for (const client of idle) client.release(true);
  }

  /** Remembers the database's temporary problem; `undefined` if there is none. */
  note(error: unknown): string | undefined {
    const problem = passingFault(error);
    if (problem !== undefined && problem !== 'the database was busy') this.#report(problem);
    return problem;
  }

  /** Resolves with the result of the work, or with `undefined` as soon as the database can't be reached. */
  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.#waiting.wait(work, this.health.ok);
  }

  #report(problem: string | undefined): void {
    const isLater = problem !== undefined && this.#trouble !== undefined;
    if (this.#isClosed || problem === this.#trouble?.problem || (isLater && problem !== keyChanged)) return;
    this.#trouble = problem === undefined ? undefined : { problem, since: new Date().toISOString() };
    if (problem !== undefined) this.#waiting.abandon();
    this.#onProblem(
      problem === undefined
        ? 'The store is writable again; runs continue.'
        : problem === keyChanged
          ? `The store cannot be used any more: ${problem}. Restart wf with the new key in WF_STORE_KEY to continue its runs.`
          : `The store cannot be written: ${problem}. Runs wait until it can be written again.`,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.pool.end();
  }
}

/** Reports that the key of the store is not the one that this process opened it with. Nothing sealed with the former key may be written. */
class KeyChanged extends Error {
  constructor() {
    super('The key of the store was changed meanwhile.');
  }
}

class KeyGuard {
  #secret: Uint8Array | undefined;

  /** @param secret the secret of the store in stored form, which differs for each key */
  expect(secret: Uint8Array): void {
    this.#secret = secret;
  }

  /** Lets a new connection in. Waits while the key is being changed. @throws KeyChanged */
  async admit(client: ClientBase): Promise<void> {
    await client.query('SELECT pg_advisory_lock_shared($1)', [storeLocks.key]);
    if (this.#secret === undefined) return;
    const { rows } = await client.query(`SELECT value FROM wf.meta WHERE key = 'secret'`);
    const found: unknown = rows[0]?.value;
    if (!(found instanceof Uint8Array) || Buffer.compare(found, this.#secret) !== 0) throw new KeyChanged();
  }
}

/** Classes and codes of PostgreSQL (appendix A of its manual) after which the same work may succeed later. */
const passing: ReadonlyMap<string, string> = new Map([
  ['08', 'the connection to the database was lost'],
  ['53', 'the database has run out of resources'],
  ['57P', 'the database is restarting'],
  ['25006', 'the database is read-only'],
  ['3D000', 'the database does not exist'],
  ['25P03', 'the connection to the database was lost'],
  ['40', 'the database was busy'],
  ['55P03', 'the database was busy'],
]);

const network: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  // While the server restarts, no socket has this name.
  'ENOENT',
]);

/** The problem of a process with a former key of the store. It never passes. */
const keyChanged = 'its key was changed';

/** Errors of the driver without a code. */
const lost =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|query read timeout/i;

const codeOf = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};

/** The problem, if the same work may succeed later; `undefined` for anything else. */
export function passingFault(error: unknown): string | undefined {
  // Work with the former key waits until its process ends. Processes with the new one take its runs.
  if (error instanceof KeyChanged) return keyChanged;
  if (error instanceof AggregateError) return error.errors.map(passingFault).find((fault) => fault !== undefined);
  const code = codeOf(error);
  for (const [prefix, words] of passing) if (code.startsWith(prefix)) return words;
  if (network.has(code)) return 'the database cannot be reached';
  return error instanceof Error && lost.test(error.message) ? 'the connection to the database was lost' : undefined;
}

/** The reason why a database can't be opened, as a sentence without a full stop, and what to do. */
function openingFault(error: unknown, database: string): readonly [problem: string, hint: string] {
  const code = codeOf(error instanceof AggregateError ? error.errors[0] : error);
  if (code === '3D000') return ['the database does not exist', `Create it with: createdb ${database}`];
  const encryption = encryptionFault(error, code);
  if (encryption !== undefined) return [encryption, 'Check sslmode and sslrootcert in the address.'];
  if (code.startsWith('28')) return ['the user or the password is wrong', 'Check the user and the password in the address.'];
  if (code === '42501') return ['the user may not create schemas in it', 'Grant it: GRANT CREATE ON DATABASE … TO …'];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return ['its host is unknown', 'Check the host in the address.'];
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return ['nothing answers there', 'Check the address, and that PostgreSQL is running.'];
  if (isForeign(error)) return ['what answers there is not PostgreSQL', 'Check the address.'];
  const words = passingFault(error) ?? (error instanceof Error ? error.message : String(error));
  return [words, 'Check the address, and that PostgreSQL is running.'];
}

/** Whether the driver was asked for encryption, and got an answer that PostgreSQL does not give. */
const isForeign = (error: unknown): boolean => error instanceof Error && /establishing an SSL connection/i.test(error.message);

/** Words for a connection that could not be encrypted as the address asks. */
function encryptionFault(error: unknown, code: string): string | undefined {
  if (error instanceof Failed) return error.message;
  if (error instanceof Error && /does not support SSL/i.test(error.message)) return causes.noEncryption;
  // The server takes only encrypted connections from here.
  if (code === '28000' && error instanceof Error && /no encryption|SSL off/i.test(error.message))
    return 'it takes only encrypted connections';
  return /CERT|ERR_TLS|ERR_SSL|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(code) ? causeOf(error).cause : undefined;
}

const WATCH_EVERY_MS = 500;

const countOfChanges = `SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text AS changes FROM pg_stat_user_tables
WHERE schemaname = 'wf' AND relname IN ('runs', 'tasks') OR schemaname = 'dbos' AND relname = 'operation_outputs'`;

/** Returns a function that stops watching. */
export function watchDatabase(database: PostgresDatabase, onChange: () => void): () => void {
  let last: unknown;
  const check = async (): Promise<void> => {
    const [row] = await database.query(countOfChanges);
    if (last !== undefined && row?.changes !== last) onChange();
    last = row?.changes;
  };
  const checkNow = (): void => void check().catch(() => undefined);
  const timer = setInterval(checkNow, WATCH_EVERY_MS);
  timer.unref();
  checkNow();
  return () => clearInterval(timer);
}

async function perform<T>(query: SqlCall, work: SqlWork<T>): Promise<T> {
  let next = work.next([]);
  while (next.done !== true) {
    const { text, values } = forPostgres(next.value);
    next = work.next((await query(text, ...values)) as readonly SqlRow[]); // the tables of wf have no other types
  }
  return next.value;
}

/** Performs the work of shared tables over the connections to a database. */
export function postgresSql(database: PostgresDatabase, sealing: TextSealing): SharedSql {
  const transaction = <T>(work: () => SqlWork<T>, lock?: string): Promise<T> =>
    database.transaction(async (query) => {
      if (lock !== undefined) await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `wf ${lock}`);
      return perform(query, work());
    });
  return {
    sealing,
    change: (work, lock) => database.persist(() => transaction(work, lock)),
    changeNow: (work) => transaction(work),
    statement: (statement) => {
      const { text, values } = forPostgres(statement);
      return database.query(text, ...values) as Promise<readonly SqlRow[]>; // the tables of wf have no other types
    },
    read(work, isPatient = false) {
      const read = () => perform(database.query, work());
      return isPatient ? database.persist(read) : read();
    },
    *isUnfinished(run) {
      const isOpen = onlyIn('postgres', `state IN ${stateList(unfinishedStates)}`);
      const row = yield* firstRow(sql`SELECT 1 AS found FROM wf.runs WHERE id = ${run} AND ${isOpen}`);
      return row !== undefined;
    },
  };
}

/** The address of a store on PostgreSQL: validated, completed, and shown without its password. */
export interface PostgresAddress {
  /** With user and database, and with the password if there is one; without what it says about encryption. */
  readonly url: string;
  readonly tls: TlsWish;
  /** For messages: contains neither the password nor options. */
  readonly shown: string;
  readonly database: string;
}

const DEFAULT_PORT = '5432';

/**
 * @param base absolute path that the files of certificates are resolved against
 * @throws UsageError for an invalid address, or one without a database
 */
export function readAddress(where: string, env: Environment, base: string): PostgresAddress {
  let url: URL;
  try {
    url = postgresUrl(where);
    if (url.hostname === '') setPart(url, 'hostname', env.PGHOST || '127.0.0.1');
    if (url.port === '') setPart(url, 'port', env.PGPORT || DEFAULT_PORT);
    if (url.username === '') setPart(url, 'username', env.PGUSER || userInfo().username);
    if (url.password === '' && env.PGPASSWORD) setPart(url, 'password', env.PGPASSWORD);
  } catch {
    throw new UsageError(
      'The address of the store is not a valid postgres:// address.',
      'Write it like postgres://user:password@host:5432/database; encode special characters in the password, such as %40 for @.',
    );
  }
  const database = decodeURIComponent(url.pathname.slice(1));
  const shown = `postgres://${url.username}@${url.host}/${database}`;
  if (database === '') {
    throw new UsageError(
      `The store ${shown} names no database.`,
      `Create one and put its name at the end of the address: createdb wf, then ${shown}wf`,
    );
  }
  const tls = tlsWish(url.searchParams, base, env.PGSSLMODE || undefined);
  if (tls === undefined)
    throw new UsageError(
      `The address of the store ${shown} names an unknown kind of encryption (sslmode).`,
      'Use sslmode=disable, prefer, require, verify-ca or verify-full.',
    );
  dropTlsWish(url.searchParams);
  return { url: url.href, tls, shown, database };
}
