// `--workers`: several processes on one port, replaced when they die, stopped together.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test as nodeTest, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type SupervisedWorker, Supervisor } from '../../src/server/process/supervisor.js';
import type { ServeOptions } from '../../src/server/settings.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';
import { heldRequest, isServeProcess, type ServeProcess, startProcess } from './serve-process.js';
import { post, send } from './test-server.js';

const script = fileURLToPath(import.meta.url);
const test: typeof nodeTest | ((...args: unknown[]) => void) = isServeProcess ? () => undefined : nodeTest;

function start(t: TestContext, options: ServeOptions, env: Record<string, string> = {}): Promise<ServeProcess & { cwd: string }> {
  const cwd = temporaryFolder(t);
  writeFileSync(path.join(cwd, 'a.wf'), 'one');
  return startProcess(t, script, { cwd, options: { workers: '2', ...options }, env }).then((server) => ({ ...server, cwd }));
}

interface Outputs {
  readonly text: string;
  readonly pid: number;
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<Outputs> {
  const { json, text } = await post(`${url}/a`, {}, headers);
  const { outputs } = json as { outputs?: Outputs };
  assert.ok(outputs !== undefined, text);
  return outputs;
}

async function pidsUntil(url: string, condition: (pids: Set<number>) => boolean): Promise<Set<number>> {
  const pids = new Set<number>();
  while (!condition(pids)) {
    await ask(url)
      .then(({ pid }) => pids.add(pid))
      .catch(() => undefined);
  }
  return pids;
}

test('two workers share a port; one that dies is replaced; SIGTERM ends all, and lets runs finish', async (t: TestContext) => {
  const server = await start(t, {});
  assert.match(server.stdout(), /^Workers: 2$/m);
  assert.equal(server.stdout().match(/Listening/g)?.length, 1);
  const before = await pidsUntil(server.url, (pids) => pids.size === 2);
  assert.ok(!before.has(server.child.pid ?? 0));
  await post(`${server.url}/a`, { exit: true }).catch(() => undefined);
  await server.said(/A worker ended unexpectedly \(exit code 9\)/);
  const after = await pidsUntil(server.url, (pids) => [...pids].filter((pid) => !before.has(pid)).length === 1);
  const { request, release } = heldRequest(t);
  const running = post(`${server.url}/a`, request);
  await server.said(/log: held/);
  server.child.kill('SIGTERM');
  await server.said(/Stopping/);
  release();
  assert.equal((await running).status, 200);
  assert.equal(await server.ended, 0);
  for (const pid of after) assert.throws(() => process.kill(pid, 0), `worker ${pid} is still there`);
});

test('workers whose database does not answer end with 75, as one process does', async (t: TestContext) => {
  if (Number(process.versions.node.split('.')[0]) < 20) return t.skip('Stores need Node.js 20.');
  const server = await start(t, { store: 'postgres://root@127.0.0.1:1/wf' });
  assert.equal(await server.ended, 75);
  assert.match(server.stderr(), /nothing answers there/);
});

test('a second signal ends all workers immediately', async (t: TestContext) => {
  const server = await start(t, {});
  const pids = await pidsUntil(server.url, (found) => found.size === 2);
  const { request } = heldRequest(t);
  const running = [1, 2].map(() => post(`${server.url}/a`, request).catch(() => 'cut off'));
  await server.said(/log: held[\s\S]*log: held/);
  server.child.kill('SIGINT');
  await server.said(/Stopping/);
  server.child.kill('SIGINT');
  assert.equal(await server.ended, 130);
  await Promise.all(running);
  const gone = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };
  await until(() => [...pids].every(gone));
});

test('the token of the environment reaches the workers; --watch and --metrics work across them', async (t: TestContext) => {
  const server = await start(t, { watch: true, metrics: true }, { WF_AUTH_TOKEN: 'token-of-workers' });
  const headers = { authorization: 'Bearer token-of-workers' };
  assert.equal((await post(`${server.url}/a`, {})).status, 401);
  for (let turn = 0; turn < 10; turn++) assert.equal((await ask(server.url, headers)).text, 'one');
  assert.equal((await send(`${server.url}/metrics`)).status, 401);
  const metrics = await fetch(`${server.url}/metrics`, { headers: { ...headers, connection: 'close' } });
  assert.match(await metrics.text(), /^wf_runs_total\{workflow="a",outcome="completed"\} 10$/m);
  writeFileSync(path.join(server.cwd, 'a.wf'), 'two');
  await server.said(/a\.wf changed/);
  const seen: string[] = [];
  await until(async () => {
    seen.push((await ask(server.url, headers)).text);
    return seen.slice(-6).join() === 'two,two,two,two,two,two';
  });
  assert.equal(server.stderr().match(/a\.wf changed/g)?.length, 1);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
});

test('workers that die immediately are replaced ever later; stopping ends the wait', async () => {
  const exits: (() => void)[] = [];
  const orders: string[] = [];
  const waits: number[] = [];
  const timers: (() => void)[] = [];
  let time = 0;
  let cancelled = 0;
  const supervisor = new Supervisor({
    count: 1,
    fork(onExit): SupervisedWorker {
      exits.push(() => onExit('exit code 1'));
      return { send: ({ type }) => orders.push(type), kill: () => orders.push('kill') };
    },
    onDeath: (_how, waitMs) => waits.push(waitMs),
    now: () => time,
    setTimer(callback) {
      timers.push(callback);
      return () => {
        cancelled++;
      };
    },
  });
  supervisor.start();
  for (let turn = 0; turn < 11; turn++) {
    exits.at(-1)?.();
    timers.at(-1)?.();
  }
  assert.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  time += 60_000;
  exits.at(-1)?.();
  assert.equal(waits.at(-1), 0);
  timers.at(-1)?.();
  assert.equal(exits.length, 13);
  exits.at(-1)?.();
  supervisor.stop();
  assert.equal(cancelled, 1);
  await supervisor.ended;
  assert.deepEqual(orders, []);
});
