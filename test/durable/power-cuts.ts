// Traces the writes of a server under load. Then the power fails at any of them, and another process continues with what is on disk at that
// moment.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isFinished } from '../../src/durable/model/run-views.js';
import { openStore } from '../../src/durable/open-store.js';
import { cli, testFile } from '../root.js';
import { until } from '../until.js';
import { Ledger } from './ledger.js';
import { buildTracer, readTrace, type TraceEvent } from './write-trace.js';

const STEPS = 3;
const RUNS = 12;

const WORKFLOW = testFile('durable/files/three-calls.wf');

/** What the outside world knew when the trace had this length. */
interface Fact {
  readonly at: number;
  readonly n: number;
  /** The call that was received. 0: a caller was told that the run is accepted. More than there are calls: the caller had the outcome. */
  readonly step: number;
  readonly run?: string;
}

export interface PowerCuts {
  readonly events: readonly TraceEvent[];
  /** @param index the last event that happened. @returns what is wrong, one sentence each */
  readonly cut: (index: number, random: () => number, flushes?: (path: string) => boolean) => Promise<string[]>;
  readonly close: () => void;
}

/** `undefined` if this machine can't trace. */
export async function powerCuts(): Promise<PowerCuts | undefined> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-power-'));
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  const tracer = buildTracer(folder);
  if (tracer === undefined) {
    close();
    return undefined;
  }
  try {
    const facts: Fact[] = [];
    const trace = path.join(folder, 'trace');
    await underLoad(folder, tracer, trace, facts);
    const events = readTrace(trace);
    const store = path.join(folder, 'runs');
    return {
      events,
      close,
      cut: (index, random, flushes) => afterCut(folder, store, events.slice(0, index + 1), facts, random, flushes),
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function underLoad(folder: string, tracer: string, trace: string, facts: Fact[]): Promise<void> {
  mkdirSync(path.join(folder, 'flows'));
  writeFileSync(path.join(folder, 'flows', 'cut.wf'), WORKFLOW);
  const ledger = await Ledger.start();
  const length = (): number => statSync(trace).size;
  ledger.onRequest = ({ run: n, step }) => facts.push({ at: length(), n, step });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    LEDGER_URL: ledger.address,
    NO_PROXY: '127.0.0.1',
    LD_PRELOAD: tracer,
    WF_TRACE_FOLDER: path.join(folder, 'runs'),
    WF_TRACE_TO: trace,
  };
  let child: ChildProcess | undefined;
  try {
    let n = 0;
    // The first server ends cleanly, so that its log of writes is moved into its file; the second one is cut off.
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const words = ['serve', 'flows', '--host', '127.0.0.1', '--port', '0', '--store', 'runs', '--grace', '1'];
      const server = spawn(process.execPath, [cli, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
      child = server;
      let said = '';
      server.stdout.on('data', (data) => {
        said += data;
      });
      await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said));
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
      const load = Array.from({ length: RUNS / 2 }, () => posted(url, ++n, facts, length));
      await Promise.all(load);
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill(signal);
      await gone;
    }
  } finally {
    child?.kill('SIGKILL');
    ledger.close();
  }
}

async function posted(url: string, n: number, facts: Fact[], length: () => number): Promise<void> {
  const isAsync = n % 2 === 0;
  const answer = await fetch(`${url}/cut`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(isAsync ? { prefer: 'respond-async' } : {}) },
    body: JSON.stringify({ n }),
  });
  const run = answer.headers.get('x-run-id') ?? '';
  assert.equal(answer.status, isAsync ? 202 : 200);
  facts.push({ at: length(), n, run, step: isAsync ? 0 : STEPS + 1 });
  await answer.arrayBuffer();
}

async function afterCut(
  folder: string,
  store: string,
  events: readonly TraceEvent[],
  facts: readonly Fact[],
  random: () => number,
  flushes?: (path: string) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  const known = facts.filter(({ at }) => at <= (events.at(-1)?.end ?? 0));
  const left = mkdtempSync(path.join(folder, 'left-'));
  new SimulatedDisk(store, events, flushes).writeTo(path.join(left, 'runs'), random);
  const ledger = await Ledger.start();
  const env = { LEDGER_URL: ledger.address, HOME: left };
  const engine = await openStore('runs', { env, cwd: left });
  try {
    for (const { n, run, step } of known) {
      if (run === undefined) continue;
      const state = await engine.state(run);
      if (state === undefined) wrong.push(`run ${n} was lost`);
      else if (step > STEPS && state.status !== 'completed') wrong.push(`run ${n} had its outcome, and is ${state.status}`);
    }
    await engine.serve();
    await until(async () =>
      (await engine.list({ limit: 100 })).runs.every(({ status }) => isFinished(status) || status === 'stuck'),
    );
    for (const { run, status, message } of (await engine.list({ limit: 100 })).runs)
      if (status !== 'completed') wrong.push(`${run} ended as ${status}: ${message}`);
    for (const { run: n, step } of ledger.received)
      if (known.some((fact) => fact.n === n && fact.step > step))
        wrong.push(`run ${n}, call ${step} was sent again after its record`);
    // A run whose call a service has received must end.
    for (const { n } of known.filter(({ step }) => step === 1)) {
      const isDone = known.some((fact) => fact.n === n && fact.step >= STEPS);
      if (!isDone && !ledger.received.some(({ run, step }) => run === n && step === STEPS)) wrong.push(`run ${n} was lost`);
    }
    return wrong;
  } finally {
    await engine.close(0);
    ledger.close();
    rmSync(left, { recursive: true, force: true });
  }
}

// A disk that has done what a trace says, up to a power cut: what was flushed is there, and any part of the rest.

type Change = { readonly offset: number; readonly data?: Buffer };

interface DiskFile {
  readonly path: string;
  flushed: Buffer;
  pending: Change[];
  /** Its name is on disk: the folder was flushed after the file was created. */
  isNamed: boolean;
  isRemoved: boolean;
}

const SECTOR = 512;

class SimulatedDisk {
  readonly #folder: string;
  readonly #files = new Map<string, DiskFile>();

  /** @param events up to the moment of the power cut */
  constructor(folder: string, events: readonly TraceEvent[], flushes: (path: string) => boolean = () => true) {
    this.#folder = folder;
    const open = new Map<number, string>();
    for (const { kind, file, offset, data } of events) {
      if (kind === 'opened') open.set(file, this.#open(data.toString()));
      else if (kind === 'removed') this.#remove(data.toString());
      else this.#change(open.get(file) ?? '', kind, offset, data, flushes);
    }
  }

  /** Writes what remains to another folder. */
  writeTo(folder: string, random: () => number): void {
    mkdirSync(folder, { recursive: true });
    for (const file of this.#files.values()) {
      // Locks die with the machine, and shared memory is created again.
      if (/\.lock$|-shm$/.test(file.path)) continue;
      if ((!file.isNamed || file.isRemoved) && random() >= 0.5) continue;
      const kept = file.pending.reduce((content, change) => applied(content, partOf(change, random)), file.flushed);
      writeFileSync(path.join(folder, path.basename(file.path)), kept, { mode: 0o600 });
    }
  }

  #open(name: string): string {
    if (name !== this.#folder && (this.#files.get(name)?.isRemoved ?? true)) {
      this.#files.set(name, { path: name, flushed: Buffer.alloc(0), pending: [], isNamed: false, isRemoved: false });
    }
    return name;
  }

  #remove(name: string): void {
    const file = this.#files.get(name);
    if (file !== undefined) file.isRemoved = true;
  }

  #change(name: string, kind: TraceEvent['kind'], offset: number, data: Buffer, flushes: (path: string) => boolean): void {
    if (name === this.#folder && kind === 'flushed') this.#flushNames();
    const file = this.#files.get(name);
    if (file === undefined) return;
    if (kind === 'written') file.pending.push({ offset, data });
    else if (kind === 'cut') file.pending.push({ offset });
    else if (flushes(name)) {
      file.flushed = file.pending.reduce(applied, file.flushed);
      file.pending = [];
    }
  }

  #flushNames(): void {
    for (const [name, file] of this.#files) {
      if (file.isRemoved) this.#files.delete(name);
      else file.isNamed = true;
    }
  }
}

function applied(content: Buffer, { offset, data }: Change): Buffer {
  if (data === undefined) {
    const cut = Buffer.alloc(offset);
    content.copy(cut, 0, 0, Math.min(offset, content.length));
    return cut;
  }
  const whole = content.length >= offset + data.length ? Buffer.from(content) : Buffer.alloc(offset + data.length);
  if (whole.length !== content.length) content.copy(whole);
  data.copy(whole, offset);
  return whole;
}

/** All of a write, nothing, or some of its sectors. */
function partOf(change: Change, random: () => number): Change {
  const { offset, data } = change;
  const chance = random();
  if (data === undefined) return chance < 0.5 ? change : { offset: 0, data: Buffer.alloc(0) };
  if (chance < 0.4) return change;
  if (chance >= 0.8 || data.length <= SECTOR) return { offset, data: Buffer.alloc(0) };
  return { offset, data: data.subarray(0, SECTOR * Math.floor(random() * (data.length / SECTOR))) };
}
