// Decides which runs of a folder this process has: those in the shards whose locks it holds. The kernel frees the lock of a shard when its process
// dies, and another process takes the whole shard.
import { inTurn } from '../../../engine/waits.js';
import { CANCELLED_TOGETHER, type InboxRow, withCancelsTogether } from '../../model/messages.js';
import { hasEnded, storedStates } from '../../model/run-rows.js';
import { cancelledOutcome, type RunExtra, readExtra } from '../../model/stored-run.js';
import type { AdoptedRuns, DueRuns, InboxArrival, RunCustody, RunWriter, TakenUp } from '../port.js';
import { UntilUnusable } from '../shared/availability.js';
import { type OwnShard, PrimaryShard } from './own-shard.js';
import type { OwnRun } from './shard-runs.js';
import type { SqliteStore } from './sqlite-store.js';
import { problemOfCode } from './store-client.js';

/** Maximum due runs requested at once. */
const MOST_DUE = 500;
/** Milliseconds until the next request if there may be more. */
const SOON_MS = 20;

export class FolderCustody implements RunCustody {
  /** About a hundredth of a processor, and on average half of this until the runs of a dead process continue. */
  readonly pollMs = 100;
  readonly patienceMs = 5_000;
  readonly cancelsTogether = CANCELLED_TOGETHER;
  // No one else can have them while this process has their shard, so a timer suffices.
  readonly looksForDue = false;
  readonly #store: SqliteStore;
  readonly #primary: PrimaryShard;
  #adopts = false;
  /** Shards as their last owners left them. No run in them may continue before: it would be adopted while it executes. */
  readonly #unadopted = new Set<OwnShard>();
  /** Shards that this process has only while it changes one of their runs. */
  readonly #borrowed = new Set<OwnShard>();
  readonly #borrowing = inTurn();
  /** The last row of the inbox that was handed over, and how often this was forgotten. */
  #last = 0;
  #forgotten = 0;
  readonly #untilStopped = new UntilUnusable();

  constructor(store: SqliteStore) {
    this.#store = store;
    this.#primary = new PrimaryShard(async (empty) => {
      const shard = store.own(await store.client.writer.takeShard(empty));
      if (!empty) this.#unadopted.add(shard);
      return shard;
    });
  }

  async begin(): Promise<void> {}

  async serve(): Promise<void> {
    this.#adopts = true;
    await this.#primary.take(false);
  }

  stop(): void {
    this.#untilStopped.abandon();
  }

  /** Forgets all shards: nothing belongs to this process any more. */
  forget(): void {
    this.#primary.forget();
    this.#unadopted.clear();
    this.#borrowed.clear();
    this.deliverAgain();
  }

  writer(): RunWriter | undefined {
    return this.#primary.taken;
  }

  takeWriter(): Promise<RunWriter> {
    return this.#primary.take(true);
  }

  takeImportWriter(): Promise<RunWriter> {
    return this.takeWriter();
  }

  async adopt(): Promise<AdoptedRuns> {
    const { client, problems } = this.#store;
    const { taken, fault } = await client.writer.takeAbandoned();
    // Its own file may have room left, so that nothing else would tell.
    problems.report({ adoption: problemOfCode(fault) });
    for (const shard of taken) this.#unadopted.add(this.#store.own(shard));
    const runs: TakenUp[] = [];
    const stuck: string[] = [];
    const faults: unknown[] = [];
    const found = this.#unadopted.size;
    // A shard that can't be adopted now stays, because its lock keeps all others from doing it, and holds up no other shard.
    for (const shard of this.#unadopted) {
      try {
        const adopted = await client.writer.adoptRunning(shard.shard, Date.now());
        this.#unadopted.delete(shard);
        for (const { n, id } of adopted.runs) runs.push({ writer: shard, n, id });
        stuck.push(...adopted.stuck);
      } catch (error) {
        faults.push(error);
      }
    }
    // Messages for their waiting runs may have been skipped before.
    const isNew = found > faults.length;
    if (isNew) this.deliverAgain();
    return { runs, stuck, isNew, fault: faults[0] };
  }

  async takeDue(now: number, _room: number, only?: ReadonlySet<string>): Promise<DueRuns> {
    const { client, queue, shards } = this.#store;
    if (only !== undefined) {
      const own = await client.writer.ownRuns([...only]);
      return { runs: own.flatMap((run) => (run.due !== null && run.due <= now ? this.#takenUp(run) : [])) };
    }
    // The waits of runs must be in the files before the files are queried.
    const settled = await this.#untilStopped.wait(
      queue.settled().then(() => true),
      true,
    );
    if (settled === undefined) return { runs: [] };
    const runs: TakenUp[] = [];
    let next: number | undefined;
    for (const shard of shards.values()) {
      if (this.#unadopted.has(shard) || this.#borrowed.has(shard)) continue;
      const due = await client.writer.dueRuns(shard.shard, Date.now(), MOST_DUE);
      for (const { n, id } of due) runs.push({ writer: shard, n, id });
      const earliest = await client.writer.earliestDue(shard.shard);
      if (earliest === undefined) continue;
      // Runs in memory wake on their own, and the others are already known.
      const at = Math.max(earliest, Date.now() + (due.length < MOST_DUE ? this.pollMs : SOON_MS));
      next = Math.min(next ?? at, at);
    }
    return { runs, next };
  }

  deliverAgain(): void {
    this.#last = 0;
    this.#forgotten++;
  }

  async deliver(
    _held: Iterable<string>,
    handle: (arrivals: readonly InboxArrival[]) => Promise<readonly boolean[]>,
  ): Promise<void> {
    const { shared, writer } = this.#store.client;
    const forgotten = this.#forgotten;
    let last = this.#last;
    const rows = await shared.inboxAfter(last);
    if (rows.length === 0) return;
    const own = new Map((await writer.ownRuns([...new Set(rows.map(({ run }) => run))])).map((run) => [run.id, run]));
    const done: number[] = [];
    try {
      for (const group of withCancelsTogether(rows)) {
        const arrivals = group.flatMap((row) => this.#arrival(row, own.get(row.run)) ?? []);
        const served = arrivals.length === 0 ? [] : await handle(arrivals);
        for (const [index, { id }] of arrivals.entries()) if (served[index] === true) done.push(id);
        last = group.at(-1)?.id ?? last;
      }
    } finally {
      if (done.length > 0) await shared.removeFromInbox(done);
      // Rows whose handling failed are read again, and so are all after an adoption.
      if (forgotten === this.#forgotten) this.#last = last;
    }
  }

  /** `undefined` if it is not for this process, or not yet. */
  #arrival({ id, run, kind, place }: InboxRow, own: OwnRun | undefined): (InboxArrival & Pick<InboxRow, 'id'>) | undefined {
    const [at] = own === undefined ? [] : this.#takenUp(own);
    if (own === undefined || at === undefined) return undefined;
    const isOver = hasEnded(own.state);
    return { id, run, kind, place, isOver, ...(isOver || own.state === storedStates.stuck ? {} : { at }) };
  }

  /** Where a run of this process continues; nothing if its shard was not adopted. */
  #takenUp({ id, shard, n }: OwnRun): TakenUp[] {
    const writer = this.#store.shards.get(shard);
    return writer === undefined || this.#unadopted.has(writer) ? [] : [{ writer, n, id }];
  }

  async take(id: string): Promise<TakenUp | 'here' | 'elsewhere'> {
    const taken = await this.#withShard(id, true, async (shard, { n, state }, isNew) => {
      const run: TakenUp = { writer: shard, n, id };
      if (state === storedStates.stuck) {
        shard.write(['state', n, storedStates.running, null, null]);
        shard.write(['progress', n]);
        await this.#store.queue.settled();
        return this.#unadopted.has(shard) ? 'here' : run;
      }
      if (!isNew || this.#unadopted.has(shard)) return 'here';
      await this.#store.client.writer.adoptRunning(shard.shard, Date.now(), n);
      return run;
    });
    return taken ?? 'elsewhere';
  }

  async cancelFree(
    ids: readonly string[],
    isHeld: (id: string) => boolean,
  ): Promise<{ readonly done: readonly string[]; readonly over: readonly string[] }> {
    const [done, over]: [string[], string[]] = [[], []];
    await this.#withShards(ids, false, async (shard, runs) => {
      const free = runs.filter(({ id }) => !isHeld(id));
      for (const { id, n, state } of free) {
        if (!hasEnded(state)) shard.write(['end', n, storedStates.cancelled, Date.now(), cancelledOutcome]);
        (hasEnded(state) ? over : done).push(id);
      }
      if (done.length > 0) await this.#committed();
    });
    return { done, over };
  }

  async hurryFree(id: string, hurried: (extra: RunExtra) => RunExtra, isHeld: () => boolean): Promise<boolean> {
    const isDue = await this.#withShard(id, false, async (shard, { n, state }) => {
      if (isHeld()) return false;
      if (state !== storedStates.waiting) return true;
      const row = (await this.#store.client.reader.findRun(id))?.row;
      if (row === undefined || isHeld()) return false;
      shard.write(['extra', n, JSON.stringify(hurried(readExtra(row.extra)))]);
      shard.write(['state', n, storedStates.waiting, Date.now(), row.waits]);
      await this.#committed();
      return true;
    });
    return isDue ?? false;
  }

  async remember(id: string, more: RunExtra): Promise<void> {
    const { queue, client, shards } = this.#store;
    await queue.settled();
    const row = (await client.reader.findRun(id))?.row;
    const shard = row === undefined ? undefined : shards.get(row.shard);
    if (row === undefined || shard === undefined) return;
    shard.write(['extra', row.n, JSON.stringify({ ...readExtra(row.extra), ...more })]);
    await queue.settled();
  }

  isGone(owner: string): Promise<boolean> {
    return this.#store.client.writer.isGone(owner);
  }

  /** @throws if nothing that was written happened */
  async #committed(): Promise<void> {
    const { queue } = this.#store;
    await queue.settled();
    if (queue.isLost) throw new Error('The store was given up before a run was changed.');
  }

  /**
   * Changes a run in its shard.
   * @returns `undefined` if another process has the shard, or there is no such run
   */
  async #withShard<T>(
    id: string,
    keeps: boolean,
    change: (shard: OwnShard, run: OwnRun, isNew: boolean) => Promise<T>,
  ): Promise<T | undefined> {
    let changed: T | undefined;
    await this.#withShards([id], keeps, async (shard, runs, isNew) => {
      for (const run of runs) changed = await change(shard, run, isNew);
    });
    return changed;
  }

  /**
   * Changes runs in their shards; those that no living process has are taken for this. A process that adopts runs keeps the shard.
   * @param keeps whether the shard is kept in any case, because a run continues here
   */
  async #withShards(
    ids: readonly string[],
    keeps: boolean,
    change: (shard: OwnShard, runs: readonly OwnRun[], isNew: boolean) => Promise<void>,
  ): Promise<void> {
    const { client, queue, shards } = this.#store;
    await queue.settled();
    const left = new Set(ids);
    for (const [number, runs] of byShard(await client.writer.ownRuns(ids))) {
      const shard = shards.get(number);
      if (shard === undefined || this.#borrowed.has(shard)) continue;
      await change(shard, runs, false);
      for (const { id } of runs) left.delete(id);
    }
    if (left.size === 0) return;
    await this.#borrowing(async () => {
      for (const [number, runs] of byShard(await client.reader.statesOf([...left]))) {
        const places = runs.map(({ id }) => id);
        const own = shards.get(number);
        if (own !== undefined) {
          await change(own, await client.writer.ownRuns(places), false);
          continue;
        }
        const taken = await client.writer.takeThis(number);
        if (taken === undefined) continue;
        const borrowed = this.#store.own(taken);
        if (this.#adopts) this.#unadopted.add(borrowed);
        else if (!keeps) this.#borrowed.add(borrowed);
        try {
          await change(borrowed, await client.writer.ownRuns(places), true);
        } finally {
          if (this.#borrowed.delete(borrowed)) await this.#store.release(borrowed);
        }
      }
    });
  }
}

function byShard<T extends { readonly shard: number }>(runs: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const run of runs) {
    const group = groups.get(run.shard);
    if (group === undefined) groups.set(run.shard, [run]);
    else group.push(run);
  }
  return groups;
}
