// Holds all runs in the memory of this process: started here, or taken up from the store. Each is in memory only once, whatever causes it.
import type { EndSignal } from '../../../runtime/run/cancellation.js';
import type { DurableRun } from '../../../runtime/run/durable-run.js';
import { receivedBy } from '../../../runtime/run/received.js';
import type { Connectors } from '../../../runtime/services/connector-types.js';
import type { LogEntry, Outcome, RunOptions, Transport, TransportRequest, WfRecord } from '../../../runtime/types.js';
import { createEngine, type Engine, type Runnable } from '../../engine/engine.js';
import { faultCode, fileFault, isOfProgram } from '../../engine/files/file-fault.js';
import { longOutcomes } from '../../engine/long-outcomes.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { observedLog } from '../../engine/records/run-record.js';
import { type Connections, createTransport } from '../../engine/transport/transport.js';
import type { OpenStoreOptions, TakenUpListener } from '../durable-engine.js';
import type { RunJournal } from '../journal/run-journal.js';
import { RunRecords } from '../journal/run-records.js';
import { entryKinds, entryWrite } from '../model/entries.js';
import { toRunId } from '../model/run-ids.js';
import { storedStates } from '../model/run-rows.js';
import { changedVersion } from '../model/versions.js';
import type { Fence, LoadedRun, RunWriter, Store, TakenUp } from '../store/port.js';
import { type LeftMemory, LiveRun, type LiveRunEngine, type LiveRunParts } from './live-run.js';

const missingModule: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT']);

/** The store, as far as runs are executed against it. */
type RunStore = Pick<Store, 'isEncrypted' | 'load' | 'runnable' | 'fence' | 'takeTurn' | 'persistently'>;

interface NewRun extends Pick<LiveRunParts, 'writer' | 'version' | 'id' | 'request' | 'options' | 'extra'> {
  readonly prepared: Prepared;
}

/** While runs leave memory, nothing may hold those that have left: each holds its outcome, and all outcomes together can fill the memory. */
const kindsOf = (runs: ReadonlySet<LiveRun>): Promise<LeftMemory['kind'][]> =>
  Promise.all(Array.from(runs, (run) => run.left.then(({ kind }) => kind)));

export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();
  /** Runs that are being read from the store. */
  readonly #loading = new Map<string, Promise<LiveRun | undefined>>();
  readonly #store: RunStore;
  readonly #engine: Engine;
  readonly #host: LiveRunEngine;
  readonly #options: OpenStoreOptions;
  /** Connections for requests that have passed the fence. */
  readonly #connections: Connections | undefined;
  readonly #onLeft: (run: LiveRun, left: LeftMemory) => void;
  readonly #onTakenUp: TakenUpListener[] = [];
  #isReleasing = false;
  readonly #reports = new Set<Promise<void>>();

  /** @param onLeft called for each run that has left memory */
  constructor(store: RunStore, host: LiveRunEngine, options: OpenStoreOptions, onLeft: (run: LiveRun, left: LeftMemory) => void) {
    this.#onLeft = onLeft;
    this.#store = store;
    this.#host = host;
    this.#options = options;
    this.#connections = store.fence === undefined ? undefined : createTransport({ env: options.env });
    this.#engine = createEngine({
      env: options.env,
      secrets: options.secrets ?? [],
      strictEnv: options.strictEnv ?? false,
      ...(options.transport === undefined ? {} : { transport: options.transport }),
    });
  }

  get size(): number {
    return this.#runs.size;
  }

  get(id: string): LiveRun | undefined {
    return this.#runs.get(id);
  }

  /** Whether a run is in memory, or being read from the store. */
  holds(id: string): boolean {
    return this.#runs.has(id) || this.#loading.has(id);
  }

  /** Also waits for one that is being read from the store. */
  async find(id: string): Promise<LiveRun | undefined> {
    return this.#runs.get(id) ?? (await this.#loading.get(id)?.catch(() => undefined));
  }

  all(): IterableIterator<LiveRun> {
    return this.#runs.values();
  }

  /** Creates a new run. Nothing of it has happened when this returns. */
  begin({ writer, version, id, prepared, request, options, extra }: NewRun): LiveRun {
    return this.#add({
      writer,
      version,
      id,
      n: writer.newRun(id),
      request,
      records: new RunRecords(),
      isAccepted: false,
      isSealed: this.#store.isEncrypted,
      extra,
      execute: this.#execute(prepared),
      options: optionsOfNew(prepared, options),
      engine: this.#host,
    });
  }

  onTakenUp(tell: TakenUpListener): void {
    this.#onTakenUp.push(tell);
  }

  /** Continues a stored run; `undefined` if it is over, or was lost meanwhile. */
  takeUp({ writer, n, id }: TakenUp): Promise<LiveRun | undefined> {
    const live = this.#runs.get(id);
    if (live !== undefined) return Promise.resolve(live);
    let loading = this.#loading.get(id);
    if (loading === undefined) {
      const current = this.#load({ writer, n, id }).finally(() => {
        if (this.#loading.get(id) === current) this.#loading.delete(id);
      });
      loading = current;
      this.#loading.set(id, loading);
    }
    return loading;
  }

  async #load(taken: TakenUp): Promise<LiveRun | undefined> {
    const loaded = await this.#store.load(taken);
    if (loaded === undefined) return undefined;
    const { writer, n, id } = taken;
    const { version, request, received, extra, changedEnv = [] } = loaded;
    const records = new RunRecords();
    for (const entry of loaded.entries) records.add(entry);
    if (writer.wasInterrupted) writeResumed(writer, n, records);
    records.changedEnv = changedEnv;
    if (loaded.wasWaiting) await writeContinued(taken, records);
    const { onLog, limitOf } = this.#options;
    const options: RunOptions = {
      requestId: toRunId(id),
      received,
      ...(onLog === undefined ? {} : { onLog: (entry) => onLog(toRunId(id), entry, version.workflow) }),
      ...(limitOf === undefined ? {} : { timeoutMs: limitOf(version.info.timeoutMs) }),
    };
    const run = this.#add({
      writer,
      version,
      id,
      n,
      request,
      records,
      isAccepted: true,
      isSealed: this.#store.isEncrypted,
      extra,
      execute: this.#executeStored(loaded),
      options,
      engine: this.#host,
    });
    for (const tell of this.#onTakenUp) tell(version.workflow, run.left);
    // It was lost while it was being read.
    if (writer.isLost) run.lose();
    for (const name of changedEnv) warn(run, `The environment variable ${name} has another value than when this run started.`);
    return run;
  }

  #add(parts: LiveRunParts): LiveRun {
    const { observer } = this.#options;
    const ended = observer?.started(parts.version.workflow);
    const run = new LiveRun(parts);
    this.#runs.set(run.id, run);
    if (this.#isReleasing) run.release();
    const hasLeft = (left: LeftMemory): void => {
      if (left.kind === 'outcome') ended?.(left.outcome.status, Date.now() - run.startedAt);
      else ended?.();
      // After `loseAll`, the same run may be in memory again.
      if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
      this.#onLeft(run, left);
      this.#reportError(run, left);
      if (left.kind === 'outcome' || left.kind === 'stuck') this.#reportLeft(run, left.kind === 'stuck');
      run.watchers.tell(left);
      longOutcomes.leave(run);
    };
    const failed = (error: unknown): never => {
      longOutcomes.leave(run);
      run.watchers.tell({ kind: 'failed', error });
      throw error;
    };
    void run.left.then(hasLeft, failed);
    return run;
  }

  #reportLeft({ id, parts: { version } }: LiveRun, isStuck: boolean): void {
    const { file, trigger } = version.info;
    const report = this.#options.onLeft?.({ run: toRunId(id), file, trigger, isStuck });
    if (report === undefined) return;
    this.#reports.add(report);
    void report.finally(() => this.#reports.delete(report));
  }

  /** Resolves when every run that has left memory is reported. */
  async reported(): Promise<void> {
    await Promise.all(this.#reports);
  }

  /** Tells of an error that no answer to a request can contain. */
  #reportError({ id, parts, watchers }: LiveRun, left: LeftMemory): void {
    if (left.kind !== 'outcome' || left.outcome.status !== 'error') return;
    if (!parts.isAccepted && !watchers.hasPaused) return;
    const { workflow, info } = parts.version;
    const { outcome, cause } = left;
    this.#options.onError?.({ run: toRunId(id), workflow, file: info.file, outcome, cause });
  }

  /**
   * Releases all runs, and from now on also each that is still being read or begun: a call that it made would fail with the connections, and
   * that failure would be recorded.
   * @param graceMs after this time, aborts what the runs are doing
   * @returns `released`, which resolves to the number of runs that did not end, when all have left memory
   */
  async releaseAll(graceMs: number): Promise<{ readonly released: Promise<number> }> {
    this.#isReleasing = true;
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, graceMs, 'late').unref());
    const released = this.#released(late);
    if ((await Promise.race([released, late])) === 'late') for (const run of this.#runs.values()) run.stop('released');
    return { released };
  }

  /** Reading a run may take until `late`; after that, it is released all the same. */
  async #released(late: Promise<unknown>): Promise<number> {
    const open = new Set(this.#runs.values());
    for (const run of open) run.release();
    await Promise.race([Promise.allSettled(this.#loading.values()), late]);
    for (const run of this.#runs.values()) open.add(run);
    const kinds = kindsOf(open);
    open.clear();
    return (await kinds).filter((kind) => kind === 'released').length;
  }

  /** Drops all runs: from now on, another process may execute them, or this one may take them up again. */
  loseAll(): void {
    for (const run of this.#runs.values()) run.lose();
    this.#runs.clear();
    this.#loading.clear();
  }

  #execute(prepared: Runnable): LiveRunParts['execute'] {
    return (run, signal) => {
      const { journal, parts, extra } = run;
      const { request, options } = parts;
      const loadPlugin = async (module: string): Promise<unknown> => {
        try {
          return await prepared.loadPlugin(module);
        } catch (error) {
          // Someone removed it and can restore it, so the run need not fail.
          if (missingModule.has(faultCode(error)))
            journal.cannotGoOn(`The plugin "${module}", or something it imports, is missing.`);
          throw error;
        }
      };
      const onLog = observedLog(this.#options.observer, options.onLog);
      const turnToEnd = (): Promise<void> => longOutcomes.enter(run);
      const connectors = this.#reported(journal, options.connectors);
      const given = { durable: journal, signal, timezone: extra.timezone, onLog, loadPlugin, connectors, turnToEnd };
      const whole = optionsWithJournal(options, given);
      this.#sendThroughFence(whole, journal);
      return this.#engine.run(prepared, request, whole).catch((error) => this.#failed(error));
    };
  }

  /** Nobody was asked if a driver is missing: someone can install it, so the run need not fail. */
  #reported(journal: RunJournal, connectors = this.#engine.connectors): Connectors {
    return {
      async perform(task, cancellation) {
        const result = await connectors.perform(task, cancellation);
        if (!result.ok && result.code === 'WF670') {
          const [first = '', ...rest] = result.cause;
          journal.cannotGoOn(`${first.toUpperCase()}${rest.join('')}. Install it beside wf, then resume the run.`);
        }
        return result;
      },
    };
  }

  #executeStored({ version, onlyVersion = version.hash }: LoadedRun): LiveRunParts['execute'] {
    const load = () => this.#store.runnable(version);
    return async (run, signal) => {
      // Someone who can write to the store can describe another version, hashes included, and name it in the row of the run.
      if (onlyVersion !== version.hash) throw changedVersion();
      const runnable = await (this.#store.persistently?.(load) ?? load()).catch((error) => this.#failed(error));
      return this.#execute(runnable)(run, signal);
    };
  }

  /** Says so if a part of wf is gone or can't be read, after an update for example. The loader has marked the error as a suspension. */
  #failed(error: unknown): never {
    if (isOfProgram(error))
      this.#options.onProblem?.(
        `A part of wf could not be loaded: ${fileFault(error)}. If wf was updated, restart it: its runs continue then.`,
      );
    throw error;
  }

  /** Executes a workflow against a journal that stores nothing. @throws a suspension */
  async tryOut(prepared: Runnable, request: WfRecord, durable: DurableRun, options: RunOptions = {}): Promise<Outcome> {
    return (await this.#engine.run(prepared, request, { ...options, durable, keepLog: false })).outcome;
  }

  #sendThroughFence(options: RunOptions, journal: RunJournal): void {
    const { fence, takeTurn } = this.#store;
    const { transport = this.#connections?.transport } = this.#options;
    if (fence === undefined || transport === undefined) return;
    options.takeTurn = takeTurn;
    options.transport = fencedTransport(transport, fence, () => journal.host.lose());
  }

  /** Loads what calls need, while runs are read from the store. */
  async load(): Promise<void> {
    await (this.#connections ?? this.#engine).load();
  }

  async close(): Promise<void> {
    await Promise.all([this.#engine.close(), this.#connections?.close()]);
  }
}

/** `received` is stored with a run that reads it, so that it is the same whenever the run is executed again. */
const optionsOfNew = ({ workflow }: Prepared, options: RunOptions): RunOptions => {
  const { received, requestId, startedAt } = options;
  if (workflow.received === true)
    return { ...options, received: received ?? receivedBy('command line', { id: requestId, at: startedAt }) };
  return received === undefined ? options : { ...options, received: undefined };
};

/** Adds a warning to its log, once. */
function warn({ journal, parts }: LiveRun, message: string): void {
  const entry: LogEntry = { time: new Date().toISOString(), type: 'warning', message };
  if (journal.main.log(entry)) parts.options.onLog?.(entry);
}

interface WithJournal {
  readonly durable: DurableRun;
  readonly signal: EndSignal;
  /** The time zone of a workflow that names none. */
  readonly timezone: string | undefined;
  readonly onLog: RunOptions['onLog'];
  readonly loadPlugin: NonNullable<RunOptions['loadPlugin']>;
  readonly connectors: Connectors;
  readonly turnToEnd: RunOptions['turnToEnd'];
}

/** Names each option, because a spread takes longer than everything else at the start of a run. */
const optionsWithJournal = (
  given: RunOptions,
  { durable, signal, timezone, onLog, loadPlugin, connectors, turnToEnd }: WithJournal,
): Required<RunOptions> => ({
  env: given.env,
  mock: given.mock,
  signal,
  onLog,
  onExchange: given.onExchange,
  fetch: given.fetch,
  transport: given.transport,
  loadPlugin,
  connectors,
  folder: given.folder,
  timeoutMs: given.timeoutMs,
  onReach: given.onReach,
  onProgress: given.onProgress,
  onAwaited: undefined,
  onEnd: given.onEnd,
  keepLog: false,
  startedAt: given.startedAt,
  requestId: given.requestId,
  received: given.received,
  trace: given.trace,
  traceparent: given.traceparent,
  timezone,
  secrets: given.secrets,
  takeTurn: given.takeTurn,
  turnToEnd,
  durable,
  requestIsPlain: given.requestIsPlain,
  requestIsAccepted: given.requestIsAccepted,
  clock: undefined,
  caller: undefined,
});

/** A run that waited continues. Its store knows before anything of it executes: if that freezes the process, the next one counts it. */
async function writeContinued({ writer, n }: TakenUp, records: RunRecords): Promise<void> {
  // While it was in memory, nothing but the end of its process can have taken it from there.
  if (records.waitsInMemory) writeResumed(writer, n, records, true);
  await writer.durable(writer.write(['state', n, storedStates.running, null, null]));
}

/** @param wasWaiting so no call was in progress */
function writeResumed(writer: RunWriter, n: number, records: RunRecords, wasWaiting = false): void {
  const body = wasWaiting ? '{"waited":true}' : null;
  const nowhere = { branch: '', seq: null, part: null, site: null, ms: null };
  writer.write(entryWrite(n, { ...nowhere, pos: records.pos, kind: entryKinds.resumed, at: Date.now(), body }));
  records.pos++;
}

/**
 * Sends nothing while it is doubtful that this process still has its runs: a process can be stopped between the check before a call and its
 * first byte.
 * @param onRefused called if a request was not sent, before it is rejected
 */
export function fencedTransport(send: Transport, fence: Fence, onRefused: () => void): Transport {
  return (request) => send(new FencedRequest(request, fence, onRefused));
}

/** Copied by name: a spread would create the signal, which is expensive. */
class FencedRequest implements TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: TransportRequest['headers'];
  readonly maxBytes: number;
  declare readonly body?: string;
  declare readonly clientCertificate?: NonNullable<TransportRequest['clientCertificate']>;
  readonly #request: TransportRequest;
  readonly #fence: Fence;
  readonly #onRefused: () => void;

  constructor(request: TransportRequest, fence: Fence, onRefused: () => void) {
    const { method, url, headers, maxBytes, body, clientCertificate } = request;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.maxBytes = maxBytes;
    if (body !== undefined) this.body = body;
    if (clientCertificate !== undefined) this.clientCertificate = clientCertificate;
    this.#request = request;
    this.#fence = fence;
    this.#onRefused = onRefused;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  onAbort(callback: () => void): void {
    this.#request.onAbort(callback);
  }

  mayBegin(): boolean {
    if (this.#fence.isGood) return true;
    this.#onRefused();
    return false;
  }
}
