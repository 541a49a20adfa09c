// A server whose disk is full, can't be read for a while, or hangs, for all of its processes and as the system tells it: what callers get, and
// what becomes of the runs.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { cli, testFile } from '../root.js';
import { until } from '../until.js';
import { Ledger } from './ledger.js';
import { buildTracer } from './write-trace.js';

const WORKFLOW = testFile('durable/files/two-calls.wf');

interface StartedServer {
  readonly process: ChildProcess;
  readonly url: string;
  /** What it has written so far. */
  readonly said: () => string;
}

interface Scene {
  readonly ledger: Ledger;
  /** While this file exists, the disk is full for limited servers; every third read fails; or no flush returns. */
  readonly full: string;
  readonly unreadable: string;
  readonly hanging: string;
  readonly started: (disk: 'limited' | 'free') => Promise<StartedServer>;
}

/** Servers over one store; `undefined` if the disk can't be made full here, which skips the test. */
async function scene(t: TestContext, ...options: readonly string[]): Promise<Scene | undefined> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-full-'));
  const tracer = buildTracer(folder);
  if (tracer === undefined) {
    rmSync(folder, { recursive: true, force: true });
    t.skip('no C compiler on this machine: the disk cannot be made full');
    return undefined;
  }
  const ledger = await Ledger.start();
  mkdirSync(path.join(folder, 'flows'));
  writeFileSync(path.join(folder, 'flows', 'cut.wf'), WORKFLOW);
  const [full, unreadable, hanging] = ['full', 'unreadable', 'hanging'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]; // three names
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LEDGER_URL: ledger.address, NO_PROXY: '127.0.0.1' };
  const limited = {
    ...env,
    LD_PRELOAD: tracer,
    WF_TRACE_FOLDER: path.join(folder, 'runs'),
    WF_TRACE_FULL: full,
    WF_TRACE_UNREADABLE: unreadable,
    WF_TRACE_HANGING: hanging,
  };
  const words = ['serve', 'flows', '--host', '127.0.0.1', '--port', '0', '--store', 'runs', ...options];
  const servers: ChildProcess[] = [];
  t.after(() => {
    for (const server of servers) server.kill('SIGKILL');
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ledger,
    full,
    unreadable,
    hanging,
    async started(disk) {
      const server = spawn(process.execPath, [cli, ...words], {
        cwd: folder,
        env: disk === 'limited' ? limited : env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      servers.push(server);
      let said = '';
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (data) => {
          said += data;
        });
      await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said));
      return { process: server, url: /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '', said: () => said };
    },
  };
}

test('while the disk is full, a server refuses new runs and holds those in flight', async (t) => {
  const found = await scene(t, '--grace', '1');
  if (found === undefined) return;
  const { ledger, full, started } = found;
  const { process: server, url, said } = await started('limited');
  const post = (n: number, prefer = '') =>
    fetch(`${url}/cut`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(prefer === '' ? {} : { prefer }) },
      body: JSON.stringify({ n }),
      signal: AbortSignal.timeout(60_000),
    });
  assert.equal((await post(1)).status, 200);
  // Full when the first call of the second run arrives: its record has to wait.
  ledger.onRequest = ({ run, step }) => {
    if (run === 2 && step === 1) writeFileSync(full, '');
  };
  const held = await post(2);
  assert.equal(held.status, 202, 'its caller need not wait for the disk');
  const { run } = (await held.json()) as { run: string };
  await until(async () => (await fetch(`${url}/health`)).status === 503);
  assert.deepEqual(await (await fetch(`${url}/health`)).json(), { status: 'store unavailable' });
  const refused = await post(3);
  assert.deepEqual([refused.status, refused.headers.has('retry-after')], [503, true]);
  assert.equal((await fetch(`${url}/runs/${run}`)).status, 503);
  assert.match(said(), /The store cannot be written: the disk is full\. Runs wait until it can be written again\./);
  rmSync(full);
  await until(async () => (await fetch(`${url}/health`)).status === 200);
  await until(async () => ((await (await fetch(`${url}/runs/${run}`)).json()) as { status: string }).status === 'completed');
  assert.deepEqual(ledger.judge([1, 2], 2), { calls: 4, repeated: 0, violations: [] });
  writeFileSync(full, '');
  ledger.onRequest = () => undefined;
  // It can't be recorded, so nobody may be told that it is accepted.
  for (const [n, prefer] of [
    [4, 'respond-async'],
    [5, ''],
  ] as const) {
    const told = await post(n, prefer);
    const { hint } = (await told.json()) as { hint: string };
    assert.deepEqual([told.status, told.headers.has('retry-after')], [503, true]);
    assert.match(hint, /^It may still start when the store can be written again\./);
    rmSync(full);
    await until(async () => (await fetch(`${url}/health`)).status === 200);
    const later = `${url}/runs/${told.headers.get('x-run-id')}`;
    await until(async () => ((await (await fetch(later)).json()) as { status: string }).status === 'completed');
    writeFileSync(full, '');
  }
  assert.equal((await post(6)).status, 503);
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  assert.equal(await gone, 0, 'it stops, though it cannot write');
});

test('a server that cannot take over the runs of a dead process because the disk is full says so, and continues them later', async (t) => {
  const found = await scene(t);
  if (found === undefined) return;
  const { ledger, full, started } = found;
  const dying = await started('free');
  const other = await started('limited');
  ledger.delayMs = () => (ledger.received.length === 1 ? 60_000 : 0);
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
  const accepted = await fetch(`${dying.url}/cut`, { method: 'POST', headers, body: JSON.stringify({ n: 1 }) });
  const { run } = (await accepted.json()) as { run: string };
  await until(() => ledger.received.length === 1);
  writeFileSync(full, '');
  dying.process.kill('SIGKILL');
  await until(async () => (await fetch(`${other.url}/health`)).status === 503);
  const reports = (): number => other.said().split('The store cannot be written: the disk is full.').length - 1;
  await until(() => reports() > 0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.deepEqual([reports(), (await fetch(`${other.url}/health`)).status], [1, 503], 'once, as long as it lasts');
  rmSync(full);
  await until(async () => (await fetch(`${other.url}/health`)).status === 200);
  await until(
    async () => ((await (await fetch(`${other.url}/runs/${run}`)).json()) as { status: string }).status === 'completed',
  );
  assert.deepEqual(ledger.judge([1], 2), { calls: 2, repeated: 1, violations: [] });
  assert.match(other.said(), /The store is writable again; runs continue\./);
});

const json = { 'content-type': 'application/json' };

test('reads that fail for a while are no damage: runs wait, and go on when the disk can be read again', async (t) => {
  const found = await scene(t);
  if (found === undefined) return;
  const { ledger, unreadable, started } = found;
  const { url, said } = await started('limited');
  const accepted = new Map<number, string>();
  const start = async (n: number): Promise<void> => {
    const headers = { ...json, prefer: 'respond-async' };
    const answer = await fetch(`${url}/cut`, { method: 'POST', headers, body: JSON.stringify({ n }) });
    const { run } = (await answer.json()) as { run?: string };
    if (answer.status === 202 && run !== undefined) accepted.set(n, run);
    else assert.deepEqual([answer.status, answer.headers.has('retry-after')], [503, true]);
  };
  for (let n = 1; n <= 20; n++) await start(n);
  writeFileSync(unreadable, '');
  for (let n = 21; n <= 80; n++) {
    await start(n);
    const one = await fetch(`${url}/runs/${accepted.get(1 + (n % 20))}`);
    assert.ok(one.status === 200 || one.status === 503, `${one.status}: ${await one.text()}`);
    assert.ok([200, 503].includes((await fetch(`${url}/runs`)).status));
  }
  rmSync(unreadable);
  await until(async () => (await fetch(`${url}/health`)).status === 200);
  for (const run of accepted.values())
    await until(async () => {
      const { status } = (await (await fetch(`${url}/runs/${run}`)).json()) as { status: string };
      assert.notEqual(status, 'error', said());
      return status === 'completed';
    });
  assert.deepEqual(ledger.judge([...accepted.keys()], 2), { calls: 2 * accepted.size, repeated: 0, violations: [] });
  assert.doesNotMatch(said(), /damaged|went wrong|unexpected/i);
});

test('while a flush hangs, a server says after five seconds that its store is unavailable, and goes on afterwards', async (t) => {
  const found = await scene(t);
  if (found === undefined) return;
  const { ledger, hanging, started } = found;
  const { url, said } = await started('limited');
  const post = (n: number) =>
    fetch(`${url}/cut`, { method: 'POST', headers: json, body: JSON.stringify({ n }), signal: AbortSignal.timeout(20_000) });
  assert.equal((await post(1)).status, 200);
  writeFileSync(hanging, '');
  const waiting = post(2);
  const health = async (): Promise<number> => (await fetch(`${url}/health`)).status;
  await until(async () => (await health()) === 503);
  const refused = await post(3);
  assert.deepEqual([refused.status, refused.headers.has('retry-after')], [503, true]);
  const held = await waiting;
  assert.ok(held.status === 202 || held.status === 503, String(held.status));
  rmSync(hanging);
  await until(async () => (await health()) === 200);
  const run = held.headers.get('x-run-id');
  await until(async () => ((await (await fetch(`${url}/runs/${run}`)).json()) as { status: string }).status === 'completed');
  assert.deepEqual(ledger.judge([1, 2], 2), { calls: 4, repeated: 0, violations: [] });
  assert.match(said(), /The store cannot be written: it has not answered for 5 seconds\.[\s\S]*The store is writable again/);
});
