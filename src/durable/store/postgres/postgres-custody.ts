// Decides which runs of a database this process has: each has a recorder here, and names this process as its owner there. If two processes find the
// same free run, one takes it.
import { setTimeout as pause } from 'node:timers/promises';
import { type InboxKind, inboxKinds, withCancelsTogether } from '../../model/messages.js';
import { stateList, storedStates, unfinishedStates } from '../../model/run-rows.js';
import { cancelledOutcome, type RunExtra } from '../../model/stored-run.js';
import type { AdoptedRuns, DueRuns, InboxArrival, RunCustody, RunWriter, StoreEvents, TakenUp } from '../port.js';
import { Backlog } from '../shared/backlog.js';
import type { TextSealing } from '../shared/sealing.js';
import type { HostProcess } from './host-process.js';
import { LEASE_MS, type OwnedRuns } from './lease.js';
import { isFree, Ownership, type TakenRun } from './ownership.js';
import type { PostgresVersions } from './postgres-versions.js';
import { type RecorderHost, RunRecorder } from './run-recorder.js';

/** Polls between two searches for runs of dead processes. */
const ADOPTION_POLLS = 4;
/** Maximum runs taken at once. */
const MOST_TAKEN = 200;
/** Milliseconds between two attempts to take a certain run. */
const RETRY_MS = 100;
/** Milliseconds after which rows of long-dead processes are deleted. */
const FORGET_MS = 3_600_000;

export class PostgresCustody implements RunCustody {
  readonly pollMs = 250;
  /** By then, a dead process is noticed. */
  readonly patienceMs = LEASE_MS + 2_000;
  readonly cancelsTogether = 250;
  readonly looksForDue = true;
  readonly #host: HostProcess;
  readonly #ownership: Ownership;
  readonly #shared: Omit<RecorderHost, 'dbos'>;
  #recording: RecorderHost | undefined;
  /** Runs in memory, on their way there, or leaving it. */
  readonly #recorders = new Map<string, RunRecorder>();
  #adopts = false;
  #polls = 0;
  #strays: ReadonlyMap<string, number> = new Map();
  #events: StoreEvents | undefined;
  readonly #stops: (() => void)[];

  /** @param onCommitted receives the milliseconds of each write */
  constructor(
    host: HostProcess,
    versions: PostgresVersions,
    sealing: TextSealing,
    onCommitted: ((durationMs: number) => void) | undefined,
  ) {
    const { database, lease } = host;
    this.#host = host;
    this.#ownership = new Ownership(database, lease.process, sealing);
    this.#shared = {
      database,
      lease,
      versions,
      sealing,
      onCommitted,
      recorders: this.#recorders,
      backlog: new Backlog(),
      onLost: (recorder, cause) => void this.#events?.lost(recorder, cause),
    };
    const holds = (id: string): boolean => this.#recorders.has(id);
    host.holders.add(holds);
    this.#stops = [() => host.holders.delete(holds), lease.onRevived((owned) => this.#revived(owned))];
  }

  get leaseAgeMs(): number | undefined {
    return this.#host.lease.ageMs;
  }

  attach(events: StoreEvents): void {
    this.#events = events;
  }

  async begin(): Promise<void> {
    this.#recording = { ...this.#shared, dbos: await this.#host.dbos() };
  }

  async serve(): Promise<void> {
    this.#adopts = true;
  }

  stop(): void {}

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** Drops the runs that others have taken while the lease had expired. */
  #revived(owned: OwnedRuns): void {
    for (const [id, recorder] of [...this.#recorders]) recorder.revived(owned.get(id));
  }

  /** Lets go of all runs of a process that stops and cannot record what they still do: they continue in the process that takes them. */
  giveUp(): void {
    for (const recorder of [...this.#recorders.values()]) recorder.lose();
  }

  /** Resolves when what has been written of a run, or of all, can be read. */
  async settled(run?: string): Promise<void> {
    const one = run === undefined ? undefined : this.#recorders.get(run);
    const recorders = run === undefined ? [...this.#recorders.values()] : one === undefined ? [] : [one];
    await Promise.all(recorders.map((recorder) => recorder.shown()));
  }

  /** Whether a row of a run says that it is with this writer. */
  isAt({ writer, id }: TakenUp, owner: unknown, leg: unknown): boolean {
    const recorder = this.#recorders.get(id);
    return recorder === writer && recorder?.isAt(owner, leg) === true;
  }

  writer(): RunWriter | undefined {
    return this.#recording === undefined ? undefined : new RunRecorder(this.#recording);
  }

  async takeWriter(): Promise<RunRecorder> {
    if (this.#recording === undefined) await this.begin();
    return new RunRecorder(this.#recording as RecorderHost); // `begin` sets it
  }

  async takeImportWriter(): Promise<RunWriter> {
    const recorder = await this.takeWriter();
    recorder.isImported = true;
    return recorder;
  }

  async adopt(room: number): Promise<AdoptedRuns> {
    const isTurn = this.#polls++ % ADOPTION_POLLS === 0;
    const { running, released } = storedStates;
    // A released run has no owner and continues immediately; a dead owner is noticed by its lease.
    const taken = await this.#take(room, `r.state IN (${running}, ${released})${isTurn ? '' : ' AND r.owner IS NULL'}`);
    const isHeld = (id: string): boolean => [...this.#host.holders].some((holds) => holds(id));
    if (isTurn) this.#strays = await this.#ownership.leaveStrays(isHeld, this.#strays);
    if (this.#polls === 1) await this.#forgetProcesses();
    return { ...taken, isNew: taken.runs.length > 0 };
  }

  async takeDue(now: number, room: number, only?: ReadonlySet<string>): Promise<DueRuns> {
    const ready = 'SELECT d.id FROM wf.runs d WHERE d.due <= $3 UNION ALL SELECT i.run FROM wf.inbox i';
    const which = `r.state = ${storedStates.waiting} AND r.id IN (${ready})`;
    return only === undefined ? this.#take(room, which, now) : this.#take(room, `${which} AND r.id = ANY($4)`, now, [...only]);
  }

  async #take(room: number, which: string, ...values: readonly unknown[]): Promise<{ runs: TakenUp[]; stuck: string[] }> {
    const most = Math.min(room, MOST_TAKEN);
    const found: TakenRun[] = most <= 0 ? [] : await this.#ownership.take(await this.#host.dbos(), most, which, ...values);
    const stuck: string[] = [];
    const runs = await Promise.all(
      found.map(async (taken) => {
        if (!(await this.#ownership.giveUp(taken))) return [await this.#toTakenUp(taken)];
        stuck.push(taken.id);
        return [];
      }),
    );
    return { runs: runs.flat(), stuck };
  }

  async #toTakenUp(taken: TakenRun): Promise<TakenUp> {
    // It was lost before, and its work in progress is ending.
    await this.#recorders.get(taken.id)?.left;
    const writer = new RunRecorder(this.#recording ?? { ...this.#shared, dbos: await this.#host.dbos() }, taken);
    writer.wasInterrupted = taken.was === storedStates.running || taken.was === storedStates.released;
    return { writer, n: 0, id: taken.id };
  }

  /** Each row comes again until it is gone. */
  deliverAgain(): void {}

  async deliver(
    held: Iterable<string>,
    handle: (arrivals: readonly InboxArrival[]) => Promise<readonly boolean[]>,
  ): Promise<void> {
    const { database } = this.#host;
    const ids = [...held];
    // A process was asked to cancel a run and died before it did.
    const abandoned = `i.kind = ${inboxKinds.cancel} AND r.state IN ${stateList(unfinishedStates)} AND ${isFree}`;
    const looksForAbandoned = this.#adopts && this.#polls % ADOPTION_POLLS === 0;
    if (ids.length === 0 && !looksForAbandoned) return;
    const rows = await database.query(
      looksForAbandoned
        ? `SELECT i.id, i.run, i.kind, i.place FROM wf.inbox i LEFT JOIN wf.runs r ON r.id = i.run WHERE i.run = ANY($1) OR (${abandoned}) ORDER BY i.id`
        : 'SELECT id, run, kind, place FROM wf.inbox WHERE run = ANY($1) ORDER BY id',
      ids,
    );
    const arrivals = rows.map(({ id, run, kind, place }) => ({
      id: Number(id),
      run: String(run),
      kind: kind as InboxKind, // only these are written
      place: place === null ? null : String(place),
      isOver: false,
    }));
    for (const group of withCancelsTogether(arrivals)) {
      const served = await handle(group);
      const done = group.filter((_, index) => served[index] === true).map(({ id }) => id);
      if (done.length > 0) await database.query('DELETE FROM wf.inbox WHERE id = ANY($1)', done);
    }
  }

  async take(id: string): Promise<TakenUp | 'here' | 'elsewhere'> {
    let lease: string | undefined;
    for (let waited = 0; waited < this.patienceMs; waited += RETRY_MS) {
      await this.#recorders.get(id)?.leaving;
      if (this.#recorders.has(id)) return 'here';
      const { runs, stuck } = await this.#take(1, 'r.id = $3', id);
      const [run] = runs;
      if (run !== undefined) return run;
      const found = stuck.length > 0 ? undefined : await this.#ownership.ownerOf(id);
      if (found === undefined) return 'elsewhere';
      // A living process renews its lease.
      if (found.owner !== undefined) {
        lease ??= `${found.owner} ${found.expires}`;
        if (lease !== `${found.owner} ${found.expires}`) return 'elsewhere';
      }
      await pause(RETRY_MS);
    }
    return 'elsewhere';
  }

  async cancelFree(
    ids: readonly string[],
    isHeld: (id: string) => boolean,
  ): Promise<{ readonly done: readonly string[]; readonly over: readonly string[] }> {
    await Promise.all(ids.map((id) => this.#recorders.get(id)?.leaving));
    const free = ids.filter((id) => !isHeld(id));
    return { done: free.length === 0 ? [] : await this.#ownership.cancelFree(free, cancelledOutcome), over: [] };
  }

  async hurryFree(id: string, hurried: (extra: RunExtra) => RunExtra): Promise<boolean> {
    await this.#recorders.get(id)?.leaving;
    return this.#ownership.hurryFree(id, hurried);
  }

  async remember(id: string, more: RunExtra): Promise<void> {
    const { database } = this.#host;
    const sql = `UPDATE wf.runs SET extra = (coalesce(extra, '{}')::jsonb || $2::jsonb)::text WHERE id = $1`;
    await database.persist(() => database.query(sql, id, JSON.stringify(more))).catch(() => undefined);
  }

  /** @param owner id of a process */
  async isGone(owner: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM wf.processes WHERE id = $1 AND expires > clock_timestamp()';
    return (await this.#host.database.query(sql, owner)).length === 0;
  }

  async #forgetProcesses(): Promise<void> {
    await this.#host.database.query(
      `DELETE FROM wf.processes p WHERE p.expires < now() - $1 * interval '1 millisecond'
       AND NOT EXISTS (SELECT 1 FROM wf.runs r WHERE r.owner = p.id AND r.state IN ${stateList(unfinishedStates)})`,
      FORGET_MS,
    );
  }
}
