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
import { SimulatedDisk } from './simulated-disk.js';
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
      ...{ events, close },
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
    ...{ PATH: process.env.PATH ?? '', HOME: folder, LEDGER_URL: ledger.address, NO_PROXY: '127.0.0.1' },
    ...{ LD_PRELOAD: tracer, WF_TRACE_FOLDER: path.join(folder, 'runs'), WF_TRACE_TO: trace },
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
