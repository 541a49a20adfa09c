// Finds out which lines runs reached: executes each once more against its records when someone looks, and caches the results of finished
// runs.

import type { DurableRun } from '../../../runtime/run/durable-run.js';
import { receivedBy } from '../../../runtime/run/received.js';
import type { Outcome, RunOptions, WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import type { Recalled, Retraced, RoundOfLoop } from '../model/journal-views.js';
import { createdAt, toRunHex } from '../model/run-ids.js';
import { isFinished } from '../model/run-views.js';
import { readExtra, readRequest } from '../model/stored-run.js';
import type { VersionInfo } from '../model/versions.js';
import type { StoreAccess } from '../store/port.js';
import { filesOf } from '../store/shared/versions.js';
import type { ShownRun } from './called-runs.js';
import { type CoveredWorkflow, CoveredWorkflows, filesFromMemory, type WorkflowText } from './covered-workflow.js';
import { retraceRun } from './retrace-run.js';
import type { RunLookup } from './run-lookup.js';
import { toStatus } from './show-run.js';

/** Maximum rows of a journal read per request. */
const MOST_ROWS = 20_000;
/** Maximum finished runs executed for the figures of a version, and the time limit in milliseconds. */
const LATELY = { runs: 100, patience: 400 };
/** Maximum cached results of finished runs. */
const MOST_KEPT = 500;

/** Executes workflows against a journal that stores nothing. */
interface Executor {
  /** @throws a suspension */
  tryOut(workflow: Runnable, request: WfRecord, journal: DurableRun, options: RunOptions): Promise<Outcome>;
}

const requestOf = ({ row }: ShownRun): WfRecord => readRequest(row.request).request;

export class Retracing {
  readonly #store: StoreAccess;
  readonly #executor: Executor;
  readonly #lookup: RunLookup;
  readonly #workflows = new CoveredWorkflows();
  readonly #finished = new Map<string, Retraced>();

  constructor(store: StoreAccess, executor: Executor, lookup: RunLookup) {
    this.#store = store;
    this.#executor = executor;
    this.#lookup = lookup;
  }

  async retrace(id: string, only: readonly RoundOfLoop[] = []): Promise<Retraced | undefined> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.#recorded(hex);
    return found === undefined ? undefined : this.#retrace(found, only);
  }

  async recall(id: string): Promise<Recalled | undefined> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.#recorded(hex);
    const workflow = found === undefined ? undefined : await this.#covered(found, true);
    if (found === undefined || workflow === undefined) return undefined;
    const trace = await this.#tracer(found);
    const { checked, reachable } = workflow;
    return {
      ...{ checked, reachable, request: requestOf(found) },
      execute: async (request, { onReach, onLog, only = [] }) => {
        let redactor = this.#lookup.redactorOf(workflow);
        let outcome: Outcome | undefined;
        const traced = await retraceRun({
          ...{ ...trace, workflow, request, only },
          execute: async (covered, changed, journal, options) => {
            outcome = await trace.execute(covered, changed, journal, {
              ...options,
              ...(onLog === undefined ? {} : { onLog }),
              onReach: (index, at) => {
                options.onReach?.(index, at);
                onReach?.(index, at);
              },
              onEnd: (details) => {
                redactor = details.redactor;
              },
            });
          },
        });
        return { outcome: traced.doubt === undefined ? outcome : undefined, redactor, traced };
      },
    };
  }

  /** A run whose data was erased or is damaged can't be executed again. */
  async #recorded(hex: string): Promise<ShownRun | undefined> {
    const found = await this.#lookup.find(hex);
    return found?.row.isDamaged === true || readExtra(found?.row.extra ?? null).erased !== undefined ? undefined : found;
  }

  async reached(version: string, since: string): Promise<ReadonlyMap<number, number>> {
    const sum = new Map<number, number>();
    const workflow = (await this.#lookup.text(version))?.workflow;
    if (workflow === undefined) return sum;
    const { runs } = await this.#lookup.list({ workflow, since, limit: LATELY.runs });
    const until = performance.now() + LATELY.patience;
    for (const { run, status, textHash } of runs) {
      if (textHash !== version || !isFinished(status)) continue;
      for (const [line, count] of (await this.retrace(run))?.reached ?? []) sum.set(line, (sum.get(line) ?? 0) + count);
      // After at least one, because none would mean that there are none. The next request finds these in the cache, and gets further.
      if (performance.now() > until) break;
    }
    return sum;
  }

  async #retrace(found: ShownRun, only: readonly RoundOfLoop[]): Promise<Retraced> {
    const { row } = found;
    const isOver = isFinished(toStatus(row.state)) && only.length === 0;
    const known = isOver ? this.#finished.get(row.id) : undefined;
    if (known !== undefined) return known;
    const workflow = await this.#covered(found, false);
    if (workflow === undefined) return { reached: new Map(), rounds: new Map(), loops: new Map(), logged: new Map() };
    const traced = await retraceRun({
      ...{ workflow, only, request: requestOf(found) },
      ...(await this.#tracer(found)),
    });
    if (isOver) this.#keep(row.id, traced);
    return traced;
  }

  #covered({ info: text, hash, called }: ShownRun, trace: boolean): Promise<CoveredWorkflow | undefined> {
    const info = JSON.parse(text) as VersionInfo; // written with the version
    return this.#workflows.of(hash, () => this.#textOf(info, called?.file ?? info.file), trace);
  }

  /** The inputs that don't change between executions of a run against its records. */
  async #tracer(found: ShownRun) {
    const { row, called } = found;
    const sites = await this.#lookup.sites(found);
    const received = called === undefined ? readRequest(row.request).received : receivedBy('workflow');
    return {
      startedAt: called?.now ?? createdAt(row.id),
      rows: await this.#lookup.entries(found, 0, MOST_ROWS),
      siteOf: (site: number | null) => (site === null ? undefined : sites.get(site)),
      execute: (covered: CoveredWorkflow, request: WfRecord, journal: DurableRun, options: RunOptions) =>
        this.#executor.tryOut(covered, request, journal, { ...options, received, timezone: readExtra(row.extra).timezone }),
    };
  }

  async #textOf(info: VersionInfo, file: string): Promise<WorkflowText | undefined> {
    const read = async (hash: string): Promise<string | undefined> => this.#store.client.reader.readContent(hash);
    const text = await read(info.text);
    return text === undefined ? undefined : { text, files: filesFromMemory(file, await filesOf(info, read)) };
  }

  #keep(id: string, traced: Retraced): void {
    this.#finished.set(id, traced);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > MOST_KEPT && oldest !== undefined) this.#finished.delete(oldest);
  }
}
