// Which runs of a folder this process has: those in the shards whose locks it holds. The kernel frees the lock of a shard when its process
// dies, and another process takes the whole shard.
import { inTurn } from '../../../engine/in-turn.js';
import { type InboxRow, inboxKinds } from '../../model/messages.js';
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

  /** Nothing belongs to this process any more. */
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
    // One that can't be adopted now stays, because its lock keeps all others from doing it, and holds up no other shard.
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

  async deliver(_held: Iterable<string>, handle: (arrival: InboxArrival) => Promise<boolean>): Promise<void> {
    const { shared, writer } = this.#store.client;
    const forgotten = this.#forgotten;
    let last = this.#last;
    const rows = await shared.inboxAfter(last);
    if (rows.length === 0) return;
    const own = new Map((await writer.ownRuns([...new Set(rows.map(({ run }) => run))])).map((run) => [run.id, run]));
    const done: number[] = [];
    try {
      for (const group of withCancelsTogether(rows)) {
        const handled = group.map(async (row) => {
          const arrival = this.#arrival(row, own.get(row.run));
          if (arrival !== undefined && (await handle(arrival))) done.push(row.id);
        });
        await allEnded(handled);
        last = group.at(-1)?.id ?? last;
      }
    } finally {
      if (done.length > 0) await shared.removeFromInbox(done);
      // Rows whose handling failed are read again, and so are all after an adoption.
      if (forgotten === this.#forgotten) this.#last = last;
    }
  }

  /** `undefined` if it is not for this process, or not yet. */
  #arrival({ run, kind, place }: InboxRow, own: OwnRun | undefined): InboxArrival | undefined {
    const [at] = own === undefined ? [] : this.#takenUp(own);
    if (own === undefined || at === undefined) return undefined;
    const isOver = hasEnded(own.state);
    return { run, kind, place, isOver, ...(isOver || own.state === storedStates.stuck ? {} : { at }) };
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

  async cancelFree(id: string, isHeld: () => boolean): Promise<'done' | 'over' | 'elsewhere'> {
    const cancelled = await this.#withShard(id, false, async (shard, { n, state }) => {
      if (isHeld()) return 'elsewhere';
      if (hasEnded(state)) return 'over';
      shard.write(['end', n, storedStates.cancelled, Date.now(), cancelledOutcome]);
      await this.#committed(id);
      return 'done';
    });
    return cancelled ?? 'elsewhere';
  }

  async hurryFree(id: string, hurried: (extra: RunExtra) => RunExtra, isHeld: () => boolean): Promise<boolean> {
    const isDue = await this.#withShard(id, false, async (shard, { n, state }) => {
      if (isHeld()) return false;
      if (state !== storedStates.waiting) return true;
      const row = (await this.#store.client.reader.findRun(id))?.row;
      if (row === undefined || isHeld()) return false;
      shard.write(['extra', n, JSON.stringify(hurried(readExtra(row.extra)))]);
      shard.write(['state', n, storedStates.waiting, Date.now(), row.waits]);
      await this.#committed(id);
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

  /** @param owner number and epoch of a shard */
  isGone(owner: string): Promise<boolean> {
    const [shard = 0, epoch = 0] = owner.split(' ').map(Number);
    return this.#store.client.writer.isGone(shard, epoch);
  }

  /** @throws if nothing that was written happened */
  async #committed(id: string): Promise<void> {
    const { queue } = this.#store;
    await queue.settled();
    if (queue.isLost) throw new Error(`The store was given up before the run ${id} was changed.`);
  }

  /**
   * Changes a run in its shard, which is taken for this if no living process has it. A process that adopts runs keeps the shard.
   * @param keeps whether the shard is kept in any case, because the run continues here
   * @returns `undefined` if another process has the shard, or there is no such run
   */
  async #withShard<T>(
    id: string,
    keeps: boolean,
    change: (shard: OwnShard, run: OwnRun, isNew: boolean) => Promise<T>,
  ): Promise<T | undefined> {
    const { client, queue, shards } = this.#store;
    await queue.settled();
    const [own] = await client.writer.ownRuns([id]);
    const shard = own === undefined ? undefined : shards.get(own.shard);
    if (own !== undefined && shard !== undefined && !this.#borrowed.has(shard)) return change(shard, own, false);
    return this.#borrowing(async () => {
      const number = own?.shard ?? (await client.reader.findRun(id))?.row.shard;
      if (number === undefined) return undefined;
      if (shards.has(number)) return this.#changeIn(shards.get(number), id, change, false);
      const taken = await client.writer.takeThis(number);
      if (taken === undefined) return undefined;
      const borrowed = this.#store.own(taken);
      if (this.#adopts) this.#unadopted.add(borrowed);
      else if (!keeps) this.#borrowed.add(borrowed);
      try {
        return await this.#changeIn(borrowed, id, change, true);
      } finally {
        if (this.#borrowed.delete(borrowed)) await this.#store.release(borrowed);
      }
    });
  }

  async #changeIn<T>(
    shard: OwnShard | undefined,
    id: string,
    change: (shard: OwnShard, run: OwnRun, isNew: boolean) => Promise<T>,
    isNew: boolean,
  ): Promise<T | undefined> {
    const [own] = await this.#store.client.writer.ownRuns([id]);
    return own === undefined || shard === undefined ? undefined : change(shard, own, isNew);
  }
}

/** Rows to handle one after the other; runs that are cancelled in a row are cancelled at the same time, because that is one commit. */
function withCancelsTogether(rows: readonly InboxRow[]): InboxRow[][] {
  const groups: InboxRow[][] = [];
  let cancels: InboxRow[] | undefined;
  for (const row of rows) {
    if (row.kind === inboxKinds.cancel && cancels !== undefined) cancels.push(row);
    else {
      const group = [row];
      groups.push(group);
      cancels = row.kind === inboxKinds.cancel ? group : undefined;
    }
  }
  return groups;
}

/** @throws what one of them threw, when all have ended */
async function allEnded(tasks: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(tasks)) if (end.status === 'rejected') throw end.reason;
}
