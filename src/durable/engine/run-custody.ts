// Brings runs of a database into the memory of this process and out of it, each with a recorder that holds its row meanwhile.
import { storedStates } from '../model/run-rows.js';
import type { RunWriter } from '../store/port.js';
import type { HostProcess } from '../store/postgres/host-process.js';
import type { OwnedRuns } from '../store/postgres/lease.js';
import type { Ownership, TakenRun } from '../store/postgres/ownership.js';
import type { PostgresStore } from '../store/postgres/postgres-store.js';
import type { RunPosition } from '../store/postgres/run-recorder.js';
import { RunRecorder } from '../store/postgres/run-recorder.js';
import type { ChangeNews } from './change-news.js';
import type { LeftMemory, LiveRun } from './live-run.js';
import type { LiveRuns } from './live-runs.js';

interface CustodyOptions {
  readonly host: HostProcess;
  readonly store: PostgresStore;
  readonly ownership: Ownership;
  readonly news: ChangeNews;
  /** Called when a run has left memory to wait: something may have arrived for it meanwhile. */
  readonly onParked: () => void;
  /** Receives the milliseconds of each write. */
  readonly onCommitted: ((durationMs: number) => void) | undefined;
}

export class RunCustody {
  readonly #options: CustodyOptions;
  /** The runs in memory, which report to this when they leave. */
  runs: LiveRuns | undefined;
  /** Where runs are going to be that are being read from the store. */
  readonly #arriving = new Map<string, RunRecorder>();

  constructor(options: CustodyOptions) {
    this.#options = options;
  }

  /** A place in the store: for a new run, or where a stored one continues. */
  async recorder(place?: RunPosition): Promise<RunRecorder> {
    const { host, store, onCommitted } = this.#options;
    const { database, lease } = host;
    const { versions, sealing } = store;
    const onLost = (recorder: unknown): void => {
      for (const run of this.runs?.all() ?? []) if (run.parts.writer === recorder) run.lose();
    };
    return new RunRecorder({ database, lease, versions, sealing, onLost, onCommitted, dbos: await host.dbos() }, place);
  }

  /** Continues a run that this process has taken. */
  async begin(taken: TakenRun): Promise<void> {
    const { ownership, news, store } = this.#options;
    const { id, was } = taken;
    if (await ownership.giveUp(taken)) return news.run(id, 'stuck');
    // It was lost before, and its work in progress is ending.
    await this.runs?.get(id)?.left;
    await store.leaving.get(id);
    const recorder = await this.recorder(taken);
    recorder.wasInterrupted = was === storedStates.running || was === storedStates.released;
    this.#arriving.set(id, recorder);
    const run = await this.runs?.takeUp({ writer: recorder, n: 0, id }).finally(() => this.#arriving.delete(id));
    if (run === undefined) await recorder.leave(false);
    else if (recorder.isLost) run.lose();
  }

  /** This process stops, and cannot record what its runs still do: they continue in the process that takes them. */
  giveUp(): void {
    for (const [, writer] of [...this.#writers()]) writer.lose?.();
  }

  /** The writers of runs in memory, and of runs on their way there. */
  *#writers(): Generator<readonly [id: string, writer: RunWriter]> {
    for (const { id, parts } of this.runs?.all() ?? []) yield [id, parts.writer];
    yield* this.#arriving;
  }

  /** The lease had expired: what others have taken meanwhile is lost. */
  revived(owned: OwnedRuns): void {
    for (const [id, writer] of [...this.#writers()]) writer.revived?.(owned.get(id));
  }

  /** A run has left memory. */
  left(run: LiveRun, { kind }: LeftMemory): void {
    const { leaving } = this.#options.store;
    const left = this.#leave(run, kind)
      // The next owner finds the run as it is.
      .catch(() => undefined)
      .finally(() => leaving.delete(run.id));
    leaving.set(run.id, left);
  }

  async #leave(run: LiveRun, kind: LeftMemory['kind']): Promise<void> {
    const { news, store, onParked } = this.#options;
    const isOver = kind === 'outcome' || kind === 'cancelled';
    await run.parts.writer.leave?.(isOver);
    news.run(run.id, kind === 'outcome' ? 'completed' : kind === 'cancelled' || kind === 'stuck' ? kind : 'waiting');
    if (isOver && run.isAwaited) {
      await store.client.shared.endShared(run.id);
      news.tasks();
    }
    if (kind === 'parked') onParked();
  }
}
