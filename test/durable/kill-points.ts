// One run with effects of every kind, cut at each write of its store: before it, after it, and with half of it on disk. A new engine
// continues from each of these states, and the outside world reports what was sent.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LogEntry } from '../../runtime/types.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { entryKinds } from '../../src/durable/model/entries.js';
import type { StoreWrite } from '../../src/durable/model/run-rows.js';
import { isFinished, type RunState } from '../../src/durable/model/run-views.js';
import { openStore } from '../../src/durable/open-store.js';
import type { ThreadCall } from '../../src/durable/store/sqlite/thread-calls.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { root } from '../root.js';
import { fakeClock } from './fake-clock.js';
import { tapNextStore } from './tapped-store.js';

const files = path.join(root, 'test', 'durable', 'files');

/** The store as a process that dies now leaves it. */
export interface CrashState {
  readonly folder: string;
  /** The last write that reached the disk. */
  readonly after: string;
  /** Places of the calls whose attempts were recorded by then, with their numbers. */
  readonly recorded: ReadonlyMap<string, number>;
  /** Places of calls `at most once` whose intent was recorded. */
  readonly intended: ReadonlySet<string>;
  readonly clock: number;
}

/** The outcome of an uninterrupted run, which all others must match. */
interface Whole {
  readonly run: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly log: readonly string[];
  /** The runs of called workflows, one line each. */
  readonly called: readonly string[];
  /** Requested paths, by key. */
  readonly calls: ReadonlyMap<string, string>;
}

export interface KillPoints {
  readonly states: readonly CrashState[];
  readonly whole: Whole;
  /** Continues from a state. @returns what is wrong, one sentence each */
  readonly resume: (state: CrashState) => Promise<string[]>;
  /** The same state with the last write half on disk; `undefined` if it has none to cut. @param part 0 to 1 */
  readonly torn: (index: number, part: number) => CrashState | undefined;
  readonly close: () => void;
}

/** Calls of the thread that only read. */
const READS = /^(?:load|read|list|find|count|own|is|state|earliest|due|inboxAfter|task|all|versions|runs|sites|content|reruns)/;

/** When the message of a run is sent: once it waits for it, or during the first wait for a time, days before. */
type Sent = 'in time' | 'early';

/** @param file a workflow in `test/durable/files` */
export async function killPoints(file = 'twenty-effects.wf', sent: Sent = 'in time'): Promise<KillPoints> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-cuts-'));
  fakeClock.hurry(0.1);
  const states: CrashState[] = [];
  const close = (): void => {
    fakeClock.offset = 0;
    fakeClock.hurry(1);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const whole = await wholeRun(folder, states, file, sent);
    return {
      states,
      whole,
      resume: (state) => resumed(folder, state, whole, sent),
      torn: (index, part) => tornState(states, index, part),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

const environment = (world: OutsideWorld, folder: string): Record<string, string> => ({
  WORLD_URL: world.address,
  OPENAI_BASE_URL: `${world.address}/v1`,
  OPENAI_API_KEY: 'sk-test',
  HOME: folder,
  WF_CACHE: 'off',
});

async function wholeRun(folder: string, states: CrashState[], file: string, sent: Sent): Promise<Whole> {
  const world = await OutsideWorld.start();
  const env = environment(world, folder);
  const recorded = new Map<string, number>();
  const intended = new Set<string>();
  const note = ({ method, args }: ThreadCall): void => {
    if (method !== 'commit') return;
    // The arguments of `commit`.
    for (const write of args[1] as readonly StoreWrite[]) {
      if (write[0] !== 'entry') continue;
      const [, , , branch, seq, part, kind] = write;
      const place = `${branch === null ? '' : `${branch}-`}${seq}`;
      if (kind === entryKinds.intent) intended.add(place);
      if (kind === entryKinds.call && part !== 0) recorded.set(place, (recorded.get(place) ?? 0) + 1);
    }
  };
  const after = (call: ThreadCall): void => {
    if (READS.test(call.method) || call.method === 'close') return;
    note(call);
    const copy = path.join(folder, `state-${states.length}`);
    mkdirSync(copy);
    copyStore(path.join(folder, 'runs'), path.join(copy, 'runs'));
    const state = { folder: copy, after: `${states.length} ${call.method}`, clock: Date.now() };
    states.push({ ...state, recorded: new Map(recorded), intended: new Set(intended) });
  };
  let engine: DurableEngine | undefined;
  try {
    cpSync(files, folder, { recursive: true });
    const prepared = await prepare(file, { cwd: folder, env });
    assert.ok(prepared.ok, JSON.stringify(prepared));
    tapNextStore({ after });
    engine = await openStore('runs', { env, cwd: folder });
    await engine.serve();
    const started = await engine.start({ prepared: prepared.prepared, request: { n: 7 }, respondAsync: true });
    assert.ok(started.kind === 'started');
    const { outputs = {} } = await driven(engine, started.run, sent);
    const log = (await engine.log(started.run)).map(lineOf);
    const called = await calledBy(engine, started.run);
    return { run: started.run, outputs, log, called, calls: new Map(world.seen.map(({ key, path }) => [key, path])) };
  } finally {
    await engine?.close(0);
    world.close();
  }
}

/** Copies a store in use, without lock files, because a dead process holds none. */
function copyStore(from: string, to: string): void {
  for (let tries = 0; ; tries++) {
    try {
      cpSync(from, to, { recursive: true, filter: (name) => !name.endsWith('.lock') });
      return;
    } catch (error) {
      // The thread has just closed a connection, which removes files. What was copied before may not match what is there now.
      if (tries === 10 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      rmSync(to, { recursive: true, force: true });
    }
  }
}

/** Milliseconds without any change after which a run counts as asleep. */
const LONGEST_SILENCE = 30_000;

/** Provides what the run waits for (time, messages, answers) until it has ended. */
async function driven(engine: DurableEngine, run: string, sent: Sent): Promise<RunState> {
  const send = (name: string) => engine.send({ name, body: { order: 7, amount: 250 }, key: 'the payment' });
  let deadline = performance.now() + LONGEST_SILENCE;
  // On a busy machine it may take long, as long as it gets on.
  const stop = engine.watch(() => {
    deadline = performance.now() + LONGEST_SILENCE;
  });
  for (;;) {
    const state = await engine.state(run);
    if (state === undefined) throw new Error('The run is not in the store.');
    if (isFinished(state.status) || state.status === 'stuck') {
      stop();
      return state;
    }
    if (performance.now() > deadline) throw new Error(`The run does not end: ${JSON.stringify(state)}`);
    const { waitingFor } = state;
    if (waitingFor?.kind === 'message' && sent === 'in time') await send(waitingFor.name ?? '');
    else if (waitingFor?.kind === 'person')
      await engine.answer(waitingFor.task ?? '', { answer: 'yes', comment: 'fine', by: 'Ada' });
    else if (waitingFor?.until !== undefined) {
      // An early one that is lost is not sent again: the wait for it ends without it.
      if (sent === 'early' && waitingFor.kind !== 'message') await send('payment');
      fakeClock.jumpTo(Date.parse(waitingFor.until));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What a run has called, directly or indirectly: ids, states, outcomes and logs, in the order of the journal's places. */
async function calledBy(engine: DurableEngine, parent: string): Promise<string[]> {
  const found: string[] = [];
  for (const { run } of (await engine.list({ parent, limit: 100 })).runs) {
    const { workflow, status, outputs, message } = (await engine.state(run)) ?? {};
    const log = (await engine.log(run)).filter(({ type }) => type !== 'warning').map(lineOf);
    const effects = (await engine.get(run))?.effects;
    found.push(
      JSON.stringify([run, parent, workflow, status, outputs, message, effects, log.sort()]),
      ...(await calledBy(engine, run)),
    );
  }
  return found.sort();
}

/** An entry of the log without what differs from run to run. */
const lineOf = ({ type, line, message, attempt, ok, service, step }: LogEntry): string =>
  JSON.stringify([type, line, message, attempt, ok, service, step]);

const placeOf = (key: string): string => key.split('-').slice(2).join('-');

async function resumed(base: string, state: CrashState, whole: Whole, sent: Sent): Promise<string[]> {
  const wrong: string[] = [];
  const world = await OutsideWorld.start();
  // A copy, so that one state can be continued several times.
  const folder = mkdtempSync(path.join(base, 'on-'));
  cpSync(path.join(state.folder, 'runs'), path.join(folder, 'runs'), { recursive: true });
  const keyOf = new Map([...whole.calls.keys()].map((key) => [placeOf(key), key]));
  world.over = new Map([...state.recorded].map(([place, attempts]) => [keyOf.get(place) ?? place, attempts]));
  fakeClock.setTo(state.clock);
  const engine = await openStore('runs', { env: environment(world, folder), cwd: folder });
  try {
    const before = await engine.state(whole.run);
    // No one was told yet that it is accepted.
    if (before === undefined) return [];
    await engine.serve();
    const { status, message, outputs = {} } = await driven(engine, whole.run, sent);
    if (status !== 'completed') return [`ended as ${status}: ${message}`];
    const entries = await engine.log(whole.run);
    wrong.push(...compared(state, whole, world, outputs, entries));
    const interruptions = entries.filter(({ type }) => type === 'resumed').length;
    const called = await calledBy(engine, whole.run);
    const isSame = JSON.stringify(called) === JSON.stringify(whole.called);
    // A call in doubt changes the outcome of the workflow that made it.
    if (!isSame && outputs.charged === whole.outputs.charged)
      wrong.push(`called were\n${called.join('\n')}\ninstead of\n${whole.called.join('\n')}`);
    if (interruptions !== (before.status === 'running' ? 1 : 0)) wrong.push(`${interruptions} entries say that it was resumed`);
    return wrong;
  } finally {
    await engine.close(0);
    world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function compared(
  { recorded, intended }: CrashState,
  whole: Whole,
  { seen }: OutsideWorld,
  outputs: Readonly<Record<string, unknown>>,
  entries: readonly LogEntry[],
): string[] {
  const wrong: string[] = [];
  const [doubtful] = [...intended].filter((place) => !recorded.has(place));
  const asked = new Map<string, number>();
  for (const { key, path: url } of seen) {
    const place = placeOf(key);
    if (whole.calls.get(key) !== url) wrong.push(`${url} was sent with another key than before: ${key}`);
    if (place === doubtful) wrong.push(`${url} may be sent once, was in doubt, and was sent again`);
    asked.set(place, (asked.get(place) ?? 0) + 1);
  }
  for (const [key, url] of whole.calls) {
    const place = placeOf(key);
    const attempts = (recorded.get(place) ?? 0) + (asked.get(place) ?? 0);
    const wanted = place === doubtful ? 0 : url.startsWith('/fails-once/') ? 2 : 1;
    if (attempts < wanted) wrong.push(`${url} was lost`);
    if (attempts > wanted) wrong.push(`${url} was sent again after its record`);
  }
  // Each world has an address of its own, and a run that continues warns of it.
  const isNew = ({ type, message }: LogEntry): boolean =>
    type === 'resumed' || (type === 'warning' && message?.startsWith('The environment variable WORLD_URL ') === true);
  const log = entries.filter((entry) => !isNew(entry)).map(lineOf);
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (doubtful === undefined) {
    if (!same(outputs, whole.outputs)) wrong.push(`ended with ${JSON.stringify(outputs)}`);
    // Concurrent effects have no order.
    if (!same(log.sort(), [...whole.log].sort()))
      wrong.push(`the log is\n${log.join('\n')}\ninstead of\n${whole.log.join('\n')}`);
  } else if (!same(outputs, { ...whole.outputs, charged: 'in doubt' })) wrong.push(`ended with ${JSON.stringify(outputs)}`);
  return wrong;
}

function tornState(states: readonly CrashState[], index: number, part: number): CrashState | undefined {
  const [before, after] = [states[index - 1], states[index]];
  if (before === undefined || after === undefined) return undefined;
  const folder = `${after.folder}-torn-${Math.round(part * 1_000)}`;
  let isCut = false;
  for (const name of ['s0.db-wal', 'common.db-wal']) {
    const sizes = [before, after].map((state) => sizeOf(path.join(state.folder, 'runs', name)));
    const [old = 0, now = 0] = sizes;
    if (now <= old) continue;
    if (!isCut) cpSync(after.folder, folder, { recursive: true });
    isCut = true;
    truncateSync(path.join(folder, 'runs', name), Math.floor(old + (now - old) * part));
  }
  // The content of that write is not on disk; everything before it is.
  return isCut ? { ...before, folder, after: `${after.after}, cut at ${part}` } : undefined;
}

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

/** Kinds of writes after which states were taken, for reports. */
export const kindsOf = (states: readonly CrashState[]): string[] => [
  ...new Set(states.map(({ after }) => after.replace(/^\d+ /, ''))),
];

export const readWorkflow = (): string => readFileSync(path.join(files, 'twenty-effects.wf'), 'utf8');

// Everything that a run can reach: services, an AI, and the effects of a plugin. Answers depend only on the path and the attempt, so a run
// has the same outcome wherever it was cut. Records each request with its key, in order to judge runs.

interface OutsideRequest {
  readonly path: string;
  readonly key: string;
}

class OutsideWorld {
  readonly seen: OutsideRequest[] = [];
  /** Attempts of a call that another world has already seen, by key. */
  over: ReadonlyMap<string, number> = new Map();
  /** Called for each request before it is answered. */
  onRequest: (request: OutsideRequest) => void = () => undefined;
  readonly #server: Server;

  static async start(): Promise<OutsideWorld> {
    const world = new OutsideWorld();
    await new Promise<void>((resolve) => world.#server.listen(0, '127.0.0.1', resolve));
    return world;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        const seen = { path: request.url ?? '', key: String(request.headers['idempotency-key']) };
        this.seen.push(seen);
        this.onRequest(seen);
        const attempt = (this.over.get(seen.key) ?? 0) + this.seen.filter(({ key }) => key === seen.key).length;
        response.statusCode = seen.path.startsWith('/fails/')
          ? 400
          : seen.path.startsWith('/fails-once/') && attempt === 1
            ? 503
            : 200;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answerTo(seen.path)));
      });
      request.on('error', () => undefined);
    });
  }

  get address(): string {
    // Listening on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function answerTo(path: string): unknown {
  if (!path.endsWith('/chat/completions')) return { v: path.length + Number(path.split('/').at(-1) || 0) };
  const content = JSON.stringify({ result: 'a few words', confidence: 0.75 });
  return { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] };
}
