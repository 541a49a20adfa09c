// Writes one run while it is in this process, in order: rows of its journal as DBOS steps, its state as a row of `wf.runs`. What
// accumulates during a write becomes the next write. A write is refused if the run belongs to another process by then.
import type { EffectSite } from '../../../../runtime/run/durable-run.js';
import type { Prepared } from '../../../engine/prepare/prepared.js';
import { type EntryWrite, entryKinds, rowOfWrite } from '../../model/entries.js';
import { type FoundRun, hasEnded, type RunWrite, type StoredState, type StoreWrite, storedStates } from '../../model/run-rows.js';
import type { RunExtra } from '../../model/stored-run.js';
import type { OwnVersion, StoredSite, VersionInfo } from '../../model/versions.js';
import type { RunWriter } from '../port.js';
import type { Backlog } from '../shared/backlog.js';
import { foundHashes, withFound } from '../shared/run-texts.js';
import type { TextSealing } from '../shared/sealing.js';
import type { DbosProcess } from './dbos-process.js';
import { legId, RunLegs, RunLost, storedStep, toStep } from './journal-steps.js';
import type { Lease } from './lease.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { PostgresVersions } from './postgres-versions.js';

/** Milliseconds that a run without effects may stay in memory after its answer. */
const LAZY_MS = 50;

interface Waiting {
  readonly generation: number;
  readonly resolve: () => void;
}

export class RunRecorder implements RunWriter {
  readonly #host: RecorderHost;
  #id: string;
  #v: number;
  #legs: RunLegs;
  /** Whether there is a row of it. */
  isStored: boolean;
  /** It was executing, or had been released, when this process took it. */
  wasInterrupted = false;
  /** It started in another store, so the environment at its start is unknown. */
  isImported = false;
  /** Hashes of the values that `find by` names, if the run began here. */
  #found: readonly string[] | undefined;
  #pending: StoreWrite[] = [];
  #written = 0;
  #recorded = 0;
  #waiting: Waiting[] = [];
  #isRecording = false;
  #isLost = false;
  #isInDoubt = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leaving: Promise<void> | undefined;
  #hasLeft: () => void = () => undefined;
  /** Resolves when nothing more is done here for the run. */
  readonly left = new Promise<void>((resolve) => {
    this.#hasLeft = resolve;
  });

  /** @param place where a stored run continues; absent if the first write creates the run */
  constructor(host: RecorderHost, place?: RunPosition) {
    this.#host = host;
    this.#id = place?.id ?? '';
    this.#v = place?.v ?? 0;
    this.#legs = new RunLegs(host, this.#id, place?.leg ?? 1);
    this.isStored = place !== undefined;
    if (place !== undefined) host.recorders.set(place.id, this);
  }

  get owner(): string {
    return this.#host.lease.process;
  }

  /** Set once the run has left memory; resolves when the store knows. */
  get leaving(): Promise<void> | undefined {
    return this.#leaving;
  }

  /** Resolves when what was written so far can be read. */
  async shown(): Promise<void> {
    await this.settled();
    await this.#leaving;
  }

  /** 32 hexadecimal digits. */
  get id(): string {
    return this.#id;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Number of the run's current leg. */
  get leg(): number {
    return this.#legs.number;
  }

  /** Whether a row of the run says that it is here. */
  isAt(owner: unknown, leg: unknown): boolean {
    return owner === this.#host.lease.process && leg === this.leg;
  }

  /** It holds one run. */
  newRun(id: string): number {
    this.#id = id;
    this.#host.recorders.set(id, this);
    return 0;
  }

  knownVersion(prepared: Prepared): OwnVersion | undefined {
    return this.#host.versions.known(prepared);
  }

  versionOf(prepared: Prepared): Promise<OwnVersion> {
    return this.#host.versions.of(prepared);
  }

  recordedVersion({ row: { v }, workflow, hash, info }: FoundRun): OwnVersion {
    return { v, workflow, hash, info: JSON.parse(info) as VersionInfo }; // written with the version
  }

  importedVersion(workflow: string, hash: string, info: VersionInfo): Promise<OwnVersion> {
    return this.#host.versions.keep(workflow, hash, info);
  }

  write(write: StoreWrite): number {
    if (write[0] === 'run') {
      const [, , id, v] = write;
      this.#id = id;
      this.#v = v;
      this.#legs = new RunLegs(this.#host, this.#id, 1);
    }
    if (this.#isLost) return this.#recorded;
    this.#host.backlog.add(write);
    this.#pending.push(write);
    return ++this.#written;
  }

  flush(): void {
    if (this.#isRecording || this.#isLost || this.#pending.length === 0) return;
    this.#isRecording = true;
    clearTimeout(this.#timer);
    // Writes of the same turn go together.
    setImmediate(() => void this.#recordAll());
  }

  flushLazily(): Promise<void> | undefined {
    if (this.#host.backlog.isLong) return this.settled();
    this.#timer ??= setTimeout(() => this.flush(), LAZY_MS);
    return undefined;
  }

  durable(generation: number): Promise<void> | undefined {
    if (!this.#isInDoubt && (generation <= this.#recorded || this.#isLost)) return this.#host.lease.good();
    return this.#verified(generation);
  }

  isDurable(generation: number): boolean {
    return this.isStored && generation <= this.#recorded;
  }

  async #verified(generation: number): Promise<void> {
    await this.settled(generation);
    await this.#host.lease.good();
    if (!this.#isInDoubt || this.#isLost) return;
    await this.#update(new Map([['id', this.#id]])).catch(() => this.lose());
    this.#isInDoubt = false;
  }

  revived(leg: number | undefined): void {
    // The run was being written for the first time: another process may have it.
    if (!this.isStored) this.#isInDoubt = true;
    else if (leg !== this.leg) this.lose();
  }

  /** Resolves when this write and all before it are recorded, or the run is lost. */
  settled(generation: number = this.#written): Promise<void> {
    if (generation <= this.#recorded || this.#isLost) return Promise.resolve();
    this.flush();
    return new Promise((resolve) => this.#waiting.push({ generation, resolve }));
  }

  describe(v: number, site: EffectSite): void {
    this.#host.versions.describe(v, site);
  }

  siteOf(v: number, site: number): StoredSite | undefined {
    return this.#host.versions.siteOf(v, site);
  }

  /** Writes nothing more: the run belongs to another process. @param cause the error, if it can't be written for another reason */
  lose(cause?: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#host.backlog.remove(this.#pending);
    this.#pending = [];
    this.#host.onLost(this, cause);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  leave(how: 'ended' | 'free' | 'unread', ending?: Promise<void>): Promise<void> {
    this.#leaving ??= this.#leave(how, ending).finally(() => {
      if (this.#host.recorders.get(this.#id) === this) this.#host.recorders.delete(this.#id);
      this.#hasLeft();
    });
    return this.#leaving;
  }

  async #leave(how: 'ended' | 'free' | 'unread', ending: Promise<void> | undefined): Promise<void> {
    await this.settled();
    // The owner of one that could not be read stays, until it counts as a stray.
    if (!this.#isLost && how === 'free') await this.#release(null);
    await this.#legs.end();
    await ending;
  }

  /** @param owner absent if the run was released in good order */
  async #release(owner: string | null): Promise<void> {
    const { database, lease } = this.#host;
    const sql = 'UPDATE wf.runs SET owner = $4 WHERE id = $1 AND leg = $2 AND owner = $3';
    await database.persist(() => database.query(sql, this.#id, this.leg, lease.process, owner));
  }

  async #recordAll(): Promise<void> {
    try {
      while (this.#pending.length > 0 && !this.#isLost) {
        const batch = this.#pending;
        this.#pending = [];
        const { onCommitted, backlog } = this.#host;
        const began = onCommitted && performance.now();
        await this.#record(batch).finally(() => backlog.remove(batch));
        if (began !== undefined) onCommitted?.(performance.now() - began);
        this.#recorded += batch.length;
        const isDone = ({ generation }: Waiting): boolean => generation <= this.#recorded;
        const done = this.#waiting.filter(isDone);
        this.#waiting = this.#waiting.filter((waiting) => !isDone(waiting));
        for (const { resolve } of done) resolve();
      }
    } catch (error) {
      // Another process has the run, or this one can never write it. Its owner becomes one that does not exist; whoever takes the run cuts
      // off anything still in progress.
      this.lose(error instanceof RunLost ? undefined : error);
      void this.#release('lost').catch(() => undefined);
    } finally {
      this.#isRecording = false;
      // Something may have arrived in the turn in which the last write ended.
      if (this.#pending.length > 0) this.flush();
    }
  }

  async #record(batch: readonly StoreWrite[]): Promise<void> {
    const begun = batch.find((write) => write[0] === 'run');
    const entries = batch.filter((write) => write[0] === 'entry');
    const changes = changesOf(batch, (text) => this.#host.sealing.seal(text, this.#id));
    const end = finalState(batch);
    // An older wf beside this one reads neither `head` nor `tail`. It would only log again, and a completed run does not continue.
    const fitsRow =
      !this.isImported &&
      (end === storedStates.completed || entries.map(rowOfWrite).every(({ kind }) => kind === entryKinds.log));
    if (entries.length > 0 && fitsRow && (begun !== undefined || end !== undefined)) {
      await this.#host.versions.flush();
      const rows = storedStep(toStep(this.#id, entries, this.#host.sealing));
      changes.set(end === undefined ? 'head' : 'tail', rows);
      await (begun === undefined ? this.#update(changes) : this.#begin(begun, changes, end !== undefined));
      return;
    }
    if (begun !== undefined && this.isImported) {
      // Its row comes last: without its journal, a run would repeat its calls. An interrupted import may have left part of the journal.
      await this.#host.dbos.remove([legId(this.#id, this.leg)]);
      if (entries.length > 0) {
        // Begun here, not by its first step: no row says yet whose run it is.
        await this.#legs.begin();
        await this.#step(entries);
      }
      await this.#insert(begun, changes);
      return;
    }
    if (begun !== undefined && entries.length === 0) {
      await this.#begin(begun, changes, end !== undefined);
      return;
    }
    if (begun !== undefined) {
      const stored = this.#insert(begun, new Map());
      await Promise.all([stored, this.#legs.begin(stored)]);
    }
    if (entries.length > 0) await this.#step(entries);
    if (changes.size > 0) await this.#update(changes);
  }

  /** Writes the row of a new run. One statement is enough: a leg begins at the first step, or beside it if other runs of the version had steps. */
  async #begin(begun: RunWrite, changes: Map<string, unknown>, isOver: boolean): Promise<void> {
    const stored = this.#insert(begun, changes);
    const [, , , v] = begun;
    const needsLeg = !isOver && this.#host.versions.hasSteps(v);
    await Promise.all([stored, needsLeg ? this.#legs.begin(stored) : undefined]);
  }

  async #step(entries: readonly EntryWrite[]): Promise<void> {
    const { versions, sealing } = this.#host;
    versions.noteSteps(this.#v);
    await versions.flush();
    const site = entries.map(rowOfWrite).find((row) => row.site !== null)?.site ?? null;
    const title = site === null ? undefined : versions.siteOf(this.#v, site)?.title;
    await this.#legs.step(title ?? 'log', toStep(this.#id, entries, sealing));
  }

  async #insert([, , id, v, state, finished, request, outcome, extra]: RunWrite, changes: Map<string, unknown>): Promise<void> {
    const { database, sealing, lease, versions } = this.#host;
    const info = await database.persist(() => versions.infoOf(v));
    const environment = this.isImported ? null : await versions.environmentOf(info);
    this.#found = foundHashes(info?.findBy, request, sealing);
    const columns = new Map<string, unknown>([
      ...([
        ['id', id],
        ['v', v],
        ['state', state],
        ['finished', finished],
        ['owner', lease.process],
        ['environment', environment],
      ] as const),
      ['request', sealing.seal(request, id)],
      ['outcome', outcome === null ? null : sealing.seal(outcome, id)],
      ...extraColumns(withFound(extra, this.#found)),
      ...this.#withFound(changes),
    ]);
    const names = [...columns.keys()];
    const values = names.map((_, index) => `$${index + 1}`).join(', ');
    // Its answer may have been lost, and another process may have taken the run since.
    const sql = `INSERT INTO wf.runs(${names.join(', ')}) VALUES (${values})
      ON CONFLICT (id) DO UPDATE SET v = excluded.v WHERE wf.runs.owner = excluded.owner RETURNING 1`;
    const rows = await database.persist(() => database.planned(sql, ...columns.values()));
    if (rows.length === 0) throw new RunLost();
    this.isStored = true;
  }

  /** Adds the run's hashes, which only the store knows, to what the run remembers later. */
  #withFound(changes: Map<string, unknown>): Map<string, unknown> {
    const extra = changes.get('extra');
    if (this.#found !== undefined && typeof extra === 'string') changes.set('extra', withFound(extra, this.#found));
    return changes;
  }

  async #update(changes: Map<string, unknown>): Promise<void> {
    const { database, lease } = this.#host;
    this.#withFound(changes);
    const set = [...changes.keys()].map((column, index) => `${column} = $${index + 4}`).join(', ');
    const sql = `UPDATE wf.runs SET ${set} WHERE id = $1 AND leg = $2 AND owner = $3 RETURNING 1`;
    const values = [this.#id, this.leg, lease.process, ...changes.values()];
    const rows = await database.persist(() => database.planned(sql, ...values));
    if (rows.length === 0) throw new RunLost();
  }
}

/** The state in which a batch ends its run. */
function finalState(batch: readonly StoreWrite[]): StoredState | undefined {
  for (const write of batch) {
    if (write[0] === 'end') return write[2];
    if (write[0] === 'run' && hasEnded(write[4])) return write[4];
  }
  return undefined;
}

/** Later writes of a batch win. @param seal encrypts a text for this run, if the store has a key */
function changesOf(batch: readonly StoreWrite[], seal: (text: string) => string): Map<string, unknown> {
  const changes = new Map<string, unknown>();
  const sealed = (text: string | null): string | null => (text === null ? null : seal(text));
  for (const write of batch) {
    switch (write[0]) {
      case 'state': {
        const [, , state, due, waits] = write;
        changes.set('state', state).set('due', due).set('waits', sealed(waits));
        break;
      }
      case 'end': {
        const [, , state, finished, outcome] = write;
        changes.set('state', state).set('finished', finished).set('outcome', sealed(outcome));
        changes.set('due', null).set('waits', null);
        break;
      }
      case 'progress':
        changes.set('adoptions', 0);
        break;
      case 'extra':
        for (const [column, value] of extraColumns(write[2])) changes.set(column, value);
    }
  }
  return changes;
}

/** Rarely used properties, with the parts that are searched for. */
function extraColumns(extra: string | null): [column: string, value: string | null][] {
  if (extra === null) return [];
  const { rerunOf = null, key = null } = JSON.parse(extra) as RunExtra; // written by a live run
  return [
    ['extra', extra],
    ['rerun_of', rerunOf],
    ['key', key],
  ];
}

export interface RecorderHost {
  readonly database: PostgresDatabase;
  readonly dbos: DbosProcess;
  readonly versions: PostgresVersions;
  readonly lease: Lease;
  readonly sealing: TextSealing;
  /** What the runs of this process have yet to record. */
  readonly backlog: Backlog;
  /** The recorders of this process, by the runs that they hold. */
  readonly recorders: Map<string, RunRecorder>;
  /** The run belongs to another process, or can't be written at all. */
  readonly onLost: (recorder: RunWriter, cause?: unknown) => void;
  /** Receives the milliseconds of each write. */
  readonly onCommitted?: ((durationMs: number) => void) | undefined;
}

/** A run that is already in the store. */
export interface RunPosition {
  readonly id: string;
  readonly leg: number;
  readonly v: number;
}
