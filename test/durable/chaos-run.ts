// Servers over one store that are killed, stopped and ended at random while runs are accepted. In the end, everything must be done, exactly
// once.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '../free-port.js';
import { cli, testFile } from '../root.js';
import { Ledger, type Verdict } from './ledger.js';

const STEPS = 7;

/** Calls 4 to 6 are made at the same time. */
const placeInOrder = (step: number): number => (step === 5 || step === 6 ? 4 : step);

const outputsOf = (n: number): unknown => ({ sum: 5 * n * 1_000 + 17, pieces: [n * 1_000 + 5, n * 1_000 + 6] });

/** A run that nothing disturbs. */
const CALM_RUN = 0;

const WORKFLOW = testFile('durable/files/chaos.wf');

/** Where a scene takes place. */
export interface Around {
  /** The address of a server. */
  readonly url: () => string;
  /** The folder of the servers, with the workflows in `flows`. */
  readonly folder: string;
  readonly store: string;
  /** Of all processes that start from now on. */
  readonly env: Record<string, string>;
  readonly ledger: Ledger;
  /** Returns numbers from 0 to 1. */
  readonly random: () => number;
  readonly isOver: () => boolean;
}

/** What is executed while everything is disturbed. */
export interface Disturbed {
  /** Workflows. */
  readonly files: Readonly<Record<string, string>>;
  /** Before there are faults. */
  readonly prepare?: (around: Around, patienceMs: number) => Promise<void>;
  /** Starts a run, and returns its id if it was accepted. */
  readonly start: (around: Around, n: number) => Promise<string | undefined>;
  /** What happens besides, until it is over. */
  readonly others?: (around: Around) => readonly Promise<void>[];
  /** After the last fault. @param patienceMs for each run */
  readonly judge: (around: Around, accepted: ReadonlyMap<number, string>, patienceMs: number) => Promise<Verdict>;
  /** When the servers have ended. Returns violations. */
  readonly after?: (around: Around) => Promise<readonly string[]>;
}

export interface ChaosOptions {
  readonly scene?: Disturbed;
  readonly seconds: number;
  /** On a slow machine, it lasts longer: until this many runs were accepted and faults have happened. */
  readonly atLeast?: { readonly runs: number; readonly faults: number };
  readonly servers: number;
  /** Returns numbers from 0 to 1. */
  readonly random: () => number;
  readonly say: (line: string) => void;
  /** Leaves the servers alone; only the database has faults. */
  readonly isCalm?: boolean;
  /** How far the clocks of the servers are off, in milliseconds: those of every other one ahead, the rest behind. */
  readonly skewMs?: number;
  /** Another build of wf, which every other server runs: its `wf.cjs`. */
  readonly beside?: string | undefined;
  /** Uses a database instead of a folder. */
  readonly database?: ChaosDatabase;
  /** The preloaded library (`write-trace.c`) with which the disk of the servers has faults: it is full, fails, or hangs for some seconds. */
  readonly disk?: string | undefined;
}

/** Files that cause a fault as long as they exist, by the variables that name them. */
const diskFaults = {
  WF_TRACE_FULL: 'full',
  WF_TRACE_BROKEN: 'broken',
  WF_TRACE_UNREADABLE: 'unreadable',
  WF_TRACE_HANGING: 'hanging',
} as const;

export interface ChaosDatabase {
  readonly address: string;
  /** Disturbs the database now and then: cuts connections, restarts it. Milliseconds between two times. */
  readonly faults: readonly { readonly everyMs: number; readonly strike: () => Promise<void> }[];
  /** Maximum milliseconds that a server sleeps: longer than its lease, or shorter. */
  readonly longestStopMs: number;
}

export interface ChaosReport extends Verdict {
  readonly kills: number;
  readonly stops: number;
  readonly ends: number;
  /** What was done to the database. */
  readonly strikes: number;
  readonly runs: number;
  /** Milliseconds from the last fault until all runs had ended. */
  readonly settledMs: number;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds after which a server with a second of grace must have ended. */
const LONGEST_STOP_MS = 40_000;

class Served {
  child: ChildProcess | undefined;
  /** How often it ended on its own. */
  failures = 0;
  /** How often it had not ended long after it was told to. */
  lateEnds = 0;
  readonly #spawn: (port: number) => ChildProcess;
  url = '';

  constructor(spawn: (port: number) => ChildProcess) {
    this.#spawn = spawn;
  }

  /** On a new port each time: while the server was down, any connection on this machine may have taken the old one. */
  async #start(): Promise<ChildProcess> {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    return this.#spawn(port);
  }

  async up(): Promise<void> {
    this.child = await this.#start();
    for (let look = 0; look < 600; look++) {
      const isUp = await fetch(`${this.url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      await sleep(50);
      if (this.child.exitCode === null) continue;
      this.failures++;
      this.child = await this.#start();
    }
    throw new Error('A server did not come up.');
  }

  async down(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (typeof child?.exitCode === 'number') this.failures++;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const late = setTimeout(() => {
      this.lateEnds++;
      child.kill('SIGKILL');
    }, LONGEST_STOP_MS);
    await gone;
    clearTimeout(late);
  }
}

/** Milliseconds for each run to end once there are no more faults, and between two looks. */
const LONGEST_END_MS = 30_000;
const LOOK_MS = 50;

/** Options of Node.js for a process whose clock is off. */
const clockOff = (ms: number): string[] =>
  ms === 0 ? [] : ['--import', `data:text/javascript,const real = Date.now; Date.now = () => real() + ${ms};`];

const nothing = { runs: 0, faults: 0 };

/** One workflow with calls, waits and branches. */
function orders(): Disturbed {
  let calm: ShownRun = {};
  return {
    files: { 'order.wf': WORKFLOW },
    async prepare({ url }, patienceMs) {
      calm = await ended(url(), (await started(url(), CALM_RUN)) ?? '', patienceMs);
    },
    start: ({ url }, n) => started(url(), n),
    async judge({ url, ledger }, accepted, patienceMs) {
      const violations = await outcomes(url(), accepted, calm, patienceMs);
      const verdict = ledger.judge([...accepted.keys()], STEPS, placeInOrder);
      return { ...verdict, violations: [...violations, ...verdict.violations] };
    },
  };
}

export async function runChaos({
  scene = orders(),
  seconds,
  servers: count,
  random,
  say,
  database,
  isCalm = false,
  skewMs = 0,
  beside = cli,
  atLeast = nothing,
  disk,
}: ChaosOptions): Promise<ChaosReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-chaos-'));
  mkdirSync(path.join(folder, 'flows'));
  for (const [name, text] of Object.entries(scene.files)) writeFileSync(path.join(folder, 'flows', name), text);
  const ledger = await Ledger.start();
  ledger.delayMs = () => Math.floor(random() * 60);
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_CACHE_HOME: path.join(folder, '.cache'),
    LEDGER_URL: ledger.address,
    NO_PROXY: '127.0.0.1',
    WF_OPERATOR_TOKEN: 'chaos-operator',
  };
  const faultFile = (name: string): string => path.join(folder, name);
  const faultyDisk = {
    LD_PRELOAD: disk,
    WF_TRACE_FOLDER: path.join(folder, 'runs'),
    ...Object.fromEntries(Object.entries(diskFaults).map(([variable, name]) => [variable, faultFile(name)])),
  };
  const servers: Served[] = [];
  const place = database?.address ?? 'runs';
  for (let index = 0; index < count; index++) {
    servers.push(
      new Served((port) => {
        const words = ['serve', 'flows', '--host', '127.0.0.1', '--port', String(port), '--store', place, '--grace', '1'];
        return spawn(
          process.execPath,
          [...clockOff(index % 2 === 0 ? skewMs : -skewMs), index % 2 === 0 ? cli : beside, ...words],
          {
            cwd: folder,
            env: disk === undefined ? env : { ...env, ...faultyDisk },
            stdio: process.env.CHAOS_LOUD ? 'inherit' : 'ignore',
          },
        );
      }),
    );
  }
  const accepted = new Map<number, string>();
  let [kills, stops, ends, strikes] = [0, 0, 0, 0];
  try {
    await Promise.all(servers.map((server) => server.up()));
    const url = (): string => servers[Math.floor(random() * servers.length)]?.url ?? '';
    let until = Number.POSITIVE_INFINITY;
    const around: Around = { url, folder, store: place, env, ledger, random, isOver: () => isOver() };
    await scene.prepare?.(around, LONGEST_END_MS + 2 * skewMs);
    until = Date.now() + seconds * 1_000;
    const isOver = (): boolean =>
      Date.now() >= until && accepted.size >= atLeast.runs && (isCalm || kills + stops + ends >= atLeast.faults);
    let n = 0;
    const load = async (): Promise<void> => {
      while (!isOver()) {
        const number = ++n;
        const run = await scene.start(around, number);
        if (run !== undefined) accepted.set(number, run);
        await sleep(5 + random() * 20);
      }
    };
    const break_ = async (server: Served): Promise<void> => {
      while (!isOver()) {
        await sleep(200 + random() * 800);
        const choice = random();
        if (choice < 0.6) {
          kills++;
          await server.down('SIGKILL');
          await server.up();
        } else if (choice < 0.8) {
          stops++;
          server.child?.kill('SIGSTOP');
          await sleep(200 + random() * (database?.longestStopMs ?? 1_500));
          server.child?.kill('SIGCONT');
        } else {
          ends++;
          await server.down('SIGTERM');
          await server.up();
        }
      }
    };
    const strike = async ({ everyMs, strike: once }: ChaosDatabase['faults'][number]): Promise<void> => {
      while (!isOver()) {
        await sleep(everyMs * (0.5 + random()));
        strikes++;
        await once();
      }
    };
    const breakDisk = async (): Promise<void> => {
      const names: readonly string[] = Object.values(diskFaults);
      while (!isOver()) {
        await sleep(500 + random() * 4_000);
        const file = faultFile(names[Math.floor(random() * names.length)] ?? 'full');
        strikes++;
        writeFileSync(file, '');
        await sleep(500 + random() * 7_000);
        rmSync(file);
      }
    };
    await Promise.all([
      load(),
      load(),
      load(),
      ...(scene.others?.(around) ?? []),
      ...(isCalm ? [] : servers.map(break_)),
      ...(database?.faults ?? []).map(strike),
      ...(disk === undefined ? [] : [breakDisk()]),
    ]);
    say(`${accepted.size} runs were accepted; waiting for their ends`);
    const settling = Date.now();
    const verdict = await scene.judge(around, accepted, LONGEST_END_MS + 2 * skewMs);
    const settledMs = Date.now() - settling;
    await Promise.all(servers.map((server) => server.down('SIGTERM')));
    const later = (await scene.after?.(around)) ?? [];
    // One whose database is down at its start, whose disk fails or whose key is missing, ends, and a supervisor starts it again.
    const mayEnd = database !== undefined || disk !== undefined || around.env.WF_STORE_KEY !== undefined;
    const failures = !mayEnd ? servers.reduce((sum, server) => sum + server.failures, 0) : 0;
    const lateEnds = servers.reduce((sum, server) => sum + server.lateEnds, 0);
    const ofServers = [
      ...(failures > 0 ? [`${failures} servers ended by themselves`] : []),
      ...(lateEnds > 0 ? [`${lateEnds} servers had not ended ${LONGEST_STOP_MS / 1_000} s after SIGTERM`] : []),
      ...(isCalm && database === undefined && verdict.repeated > 0
        ? [`${verdict.repeated} calls were sent twice without a fault`]
        : []),
    ];
    return {
      kills,
      stops,
      ends,
      strikes,
      runs: accepted.size,
      settledMs,
      ...verdict,
      violations: [...ofServers, ...verdict.violations, ...later],
    };
  } finally {
    for (const server of servers) await server.down('SIGKILL');
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The id of an accepted run. */
async function started(url: string, n: number): Promise<string | undefined> {
  const answer = await fetch(`${url}/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ n }),
    signal: AbortSignal.timeout(2_000),
  }).catch(() => undefined);
  if (answer?.status !== 202) return undefined;
  return ((await answer.json().catch(() => ({}))) as { run?: string }).run;
}

interface ShownRun {
  readonly status?: string;
  readonly outputs?: unknown;
  readonly message?: string;
  readonly log?: readonly Readonly<Record<string, unknown>>[];
}

async function ended(url: string, run: string, patienceMs: number): Promise<ShownRun> {
  let state: ShownRun = {};
  for (let waited = 0; waited < patienceMs; waited += LOOK_MS) {
    state = await fetch(`${url}/runs/${run}`, { headers: { authorization: 'Bearer chaos-operator' } })
      .then((answer) => answer.json() as Promise<ShownRun>)
      .catch(() => ({}));
    if (state.status !== undefined && state.status !== 'running' && state.status !== 'waiting') break;
    await sleep(LOOK_MS);
  }
  return state;
}

/** What the log of every run contains, in any order: branches take turns, and interrupted calls are retried. */
const logged = ({ log = [] }: ShownRun): string =>
  log
    .filter(({ type }) => type !== 'resumed' && type !== 'retry')
    .map(({ type, line, event, step }) => [type, line, event, step].join(' '))
    .sort()
    .join('\n');

/** Waits until every run has ended, and compares their outcomes and their logs. */
async function outcomes(
  url: string,
  accepted: ReadonlyMap<number, string>,
  calm: ShownRun,
  patienceMs: number,
): Promise<string[]> {
  const violations: string[] = [];
  const wanted = logged(calm);
  if (calm.status !== 'completed' || wanted === '') return [`The run that nothing disturbed has no log: ${JSON.stringify(calm)}`];
  for (const [number, run] of accepted) {
    const state = await ended(url, run, patienceMs);
    const { log = [], ...rest } = state;
    if (state.status !== 'completed' || !isDeepStrictEqual(state.outputs, outputsOf(number)))
      violations.push(`run ${number} (${run}) ended as ${JSON.stringify(rest)}`);
    else if (logged(state) !== wanted) violations.push(`run ${number} (${run}) has another log: ${JSON.stringify(log)}`);
  }
  return violations;
}
