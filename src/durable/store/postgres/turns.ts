// Counts `with limit 100 calls a minute` and `with limit 5 calls at once` for all processes over a database: each call in progress, or
// ended less than a minute ago, is a row. Calls of one address wait in order here, and ask the database together.
import { randomUUID } from 'node:crypto';
import type { CallLimits, TakeTurn, Turn } from '../../../../runtime/types.js';
import type { TextSealing } from '../shared/sealing.js';
import type { Lease } from './lease.js';
import type { DatabaseRow, PostgresDatabase } from './postgres-database.js';

/** Milliseconds between two questions while others have all turns, unless the database knows when one is free. */
const POLL_MS = 100;
const LONGEST_POLL_MS = 1_000;
/** Turns asked for at once. */
const MOST_ASKED = 50;

/**
 * Ends turns, and takes as many of the wanted ones as the limits allow. Repeatable, because its answer can be lost. What a dead process had
 * ends when another one asks. `wait_ms` is null if a call must end first.
 */
export const takeTurnsFunction = `
CREATE FUNCTION wf.take_turns(
  its_address text, its_process text, done uuid[], wanted uuid[], at_once integer, per_minute integer, OUT taken uuid[], OUT wait_ms integer
) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  free bigint;
  counted bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('wf turns ' || its_address, 0));
  moment := clock_timestamp();
  UPDATE wf.turns SET ended = moment WHERE id = ANY(done) AND ended IS NULL;
  UPDATE wf.turns t SET ended = moment WHERE t.address = its_address AND t.ended IS NULL
    AND NOT EXISTS (SELECT 1 FROM wf.processes p WHERE p.id = t.process AND p.expires > moment);
  DELETE FROM wf.turns WHERE address = its_address AND ended <= moment - interval '1 minute';
  taken := ARRAY(SELECT id FROM wf.turns WHERE id = ANY(wanted) AND ended IS NULL);
  IF NOT EXISTS (SELECT 1 FROM wf.processes p WHERE p.id = its_process AND p.expires > moment) THEN
    RETURN;
  END IF;
  free := at_once - (SELECT count(*) FROM wf.turns WHERE address = its_address AND ended IS NULL);
  IF per_minute IS NOT NULL THEN
    counted := (SELECT count(*) FROM wf.turns WHERE address = its_address);
    IF counted >= per_minute THEN
      wait_ms := (SELECT ceil(extract(epoch FROM ended + interval '1 minute' - moment) * 1000)
        FROM wf.turns WHERE address = its_address ORDER BY ended LIMIT 1 OFFSET counted - per_minute);
    END IF;
    free := least(free, per_minute - counted);
  END IF;
  WITH chosen AS (SELECT id FROM unnest(wanted) WITH ORDINALITY AS w(id, place) WHERE id <> ALL(taken) ORDER BY place LIMIT greatest(free, 0)),
    added AS (INSERT INTO wf.turns(id, address, process) SELECT id, its_address, its_process FROM chosen RETURNING id)
  SELECT taken || coalesce(array_agg(id), '{}') INTO taken FROM added;
END $$`;

interface Waiting {
  readonly id: string;
  readonly limits: CallLimits;
  readonly go: () => void;
}

/** The calls of one address in this process. */
interface Queue {
  readonly key: string;
  waiting: Waiting[];
  /** Turns that are over, but not yet for others. */
  done: string[];
  isAsking: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class PostgresTurns {
  readonly #database: PostgresDatabase;
  readonly #lease: Lease;
  readonly #sealing: TextSealing;
  readonly #queues = new Map<string, Queue>();
  readonly #asking = new Set<Promise<void>>();
  #isClosed = false;

  constructor(database: PostgresDatabase, lease: Lease, sealing: TextSealing) {
    this.#database = database;
    this.#lease = lease;
    this.#sealing = sealing;
  }

  /** @param address may contain a secret of the environment, so only its hash is stored */
  readonly take: TakeTurn = (address, limits) => {
    let queue = this.#queues.get(address);
    if (queue === undefined) {
      const key = this.#sealing.hash(`turns ${address}`).toString('hex');
      queue = { key, waiting: [], done: [], isAsking: false, timer: undefined };
      this.#queues.set(address, queue);
    }
    return this.#join(queue, limits);
  };

  #join(queue: Queue, limits: CallLimits): Turn {
    const id = randomUUID();
    const turn = new Promise<void>((resolve) => queue.waiting.push({ id, limits, go: resolve }));
    // A call that ended meanwhile is reported along with the question.
    if (queue.timer === undefined || queue.done.length > 0) this.#ask(queue);
    return {
      turn,
      leave: () => {
        queue.waiting = queue.waiting.filter((waiting) => waiting.id !== id);
        queue.done.push(id);
        this.#ask(queue);
      },
    };
  }

  #ask(queue: Queue): void {
    if (queue.isAsking || this.#isClosed) return;
    clearTimeout(queue.timer);
    queue.timer = undefined;
    queue.isAsking = true;
    let hasFailed = false;
    const asking = this.#askOnce(queue)
      .catch(() => {
        // It can never succeed: the next question tries again, and meanwhile no call is sent.
        hasFailed = true;
        return POLL_MS;
      })
      .then((waitMs) => {
        queue.isAsking = false;
        this.#asking.delete(asking);
        if (queue.done.length > 0 && !hasFailed) this.#ask(queue);
        else if ((queue.waiting.length > 0 || hasFailed) && !this.#isClosed)
          queue.timer = setTimeout(() => this.#ask(queue), waitMs);
      });
    this.#asking.add(asking);
  }

  /** @returns milliseconds until the next question */
  async #askOnce(queue: Queue): Promise<number> {
    // Everything that began in this turn of the event loop asks together.
    await null;
    const limits = queue.waiting[0]?.limits ?? {};
    const others = queue.waiting.findIndex(
      ({ limits: own }) => own.atOnce !== limits.atOnce || own.perMinute !== limits.perMinute,
    );
    const wanted = queue.waiting.slice(0, Math.min(others === -1 ? MOST_ASKED : others, MOST_ASKED));
    const { done } = queue;
    queue.done = [];
    const sql = 'SELECT taken, wait_ms FROM wf.take_turns($1, $2, $3, $4, $5, $6)';
    const ask = (): Promise<DatabaseRow[]> =>
      this.#database.query(
        ...([sql, queue.key, this.#lease.process, done, wanted.map(({ id }) => id)] as const),
        limits.atOnce ?? null,
        limits.perMinute ?? null,
      );
    const [row] = await this.#database.persist(ask).catch((error: unknown) => {
      // Otherwise these turns would last as long as this process.
      queue.done.push(...done);
      throw error;
    });
    const taken = new Set(row?.taken as readonly string[]); // an array of UUIDs
    const given = queue.waiting.filter(({ id }) => taken.has(id));
    queue.waiting = queue.waiting.filter(({ id }) => !taken.has(id));
    for (const { go } of given) go();
    // One that left while it was being asked for has its turn now, and no one uses it.
    const unused = wanted.filter(({ id }) => taken.has(id) && !given.some((other) => other.id === id));
    queue.done.push(...unused.map(({ id }) => id));
    // Calls that came meanwhile were not asked for, and need not wait for anything.
    if (given.length > 0 || wanted.length === 0) return 0;
    return Math.min(Number(row?.wait_ms ?? POLL_MS), LONGEST_POLL_MS);
  }

  async #answered(): Promise<void> {
    while (this.#asking.size > 0) await Promise.all(this.#asking);
  }

  /** All calls have ended. Resolves when others know, or can't be told now: they see that this process has ended. */
  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_POLL_MS).unref());
    await Promise.race([late, this.#answered()]);
    this.#isClosed = true;
    for (const { timer } of this.#queues.values()) clearTimeout(timer);
  }
}
