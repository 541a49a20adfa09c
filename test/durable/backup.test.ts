// A copy of a folder store, made while a server works: it is of one moment, it goes on after the server was killed, and nothing that was
// recorded before is sent again.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isFinished } from '../../src/durable/model/run-views.js';
import { openStore } from '../../src/durable/open-store.js';
import { cli, testFile } from '../root.js';
import { endProcess, endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';
import { Ledger } from './ledger.js';
import { begun, testStore } from './test-store.js';

const RUNS = 30;
const STEPS = 3;

test('a copy that was made under load continues after kill -9, and sends nothing again that was recorded before', async (t) => {
  const { folder } = await testStore(t, 'folder');
  const ledger = await Ledger.start();
  t.after(() => ledger.close());
  ledger.delayMs = () => 40;
  mkdirSync(path.join(folder, 'flows'));
  writeFileSync(path.join(folder, 'flows', 'three.wf'), testFile('durable/files/three-calls.wf'));
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LEDGER_URL: ledger.address, NO_PROXY: '127.0.0.1' };
  const words = ['serve', 'flows', '--host', '127.0.0.1', '--port', '0', '--store', 'runs'];
  const server = spawn(process.execPath, [cli, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  endWithTest(t, () => endProcess(server));
  let said = '';
  server.stdout.on('data', (text) => {
    said += String(text);
  });
  await until(() => /http:\/\/\S+\d/.test(said));
  const url = /http:\/\/[\w.]+:\d+/.exec(said)?.[0] ?? '';
  const runs: string[] = [];
  let isMore = true;
  const load = (async () => {
    for (let n = 0; isMore; n++) {
      const headers = { prefer: 'respond-async', 'content-type': 'application/json' };
      const { headers: got } = await fetch(`${url}/three`, { method: 'POST', headers, body: JSON.stringify({ n }) });
      runs.push(got.get('x-run-id') ?? '');
    }
  })();
  await until(() => ledger.received.length > RUNS);
  // What a run has sent before its newest call was recorded before that.
  const accepted = runs.length;
  const before = new Map<number, number>();
  for (const { run, step } of ledger.received) before.set(run, Math.max(before.get(run) ?? 0, step));
  const done = await promisify(execFile)(process.execPath, [cli, 'runs', 'backup', 'copy', '--store', 'runs'], {
    cwd: folder,
    env,
  });
  assert.match(done.stdout, /^The store is copied to copy: \d+ files?, [\d.]+ MB\.\n$/);
  isMore = false;
  await load;
  server.kill('SIGKILL');
  await new Promise((resolve) => server.once('exit', resolve));
  const copied = ledger.received.length;
  const engine = await openStore('copy', { env, cwd: folder });
  endWithTest(t, () => engine.close(0));
  await engine.serve();
  for (const run of runs.slice(0, accepted)) {
    const state = await engine.settled(run, 'ended', 60_000);
    assert.ok(state !== undefined && isFinished(state.status), `${run} is ${state?.status}`);
    assert.equal(state.status, 'completed', state.message);
  }
  for (const { run, step } of ledger.received.slice(copied))
    assert.ok(step >= (before.get(run) ?? 0), `call ${step} of run ${run} was sent again`);
  const keys = new Map<string, string>();
  for (const { run, step, key } of ledger.received) {
    assert.equal(keys.get(`${run} ${step}`) ?? key, key, 'the same key');
    keys.set(`${run} ${step}`, key);
    assert.ok(step <= STEPS);
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('partial')),
    [],
  );
  assert.equal(statSync(path.join(folder, 'copy')).mode & 0o777, 0o700);
});

test('a copy is refused inside of the store, where something is, and of a database', async (t) => {
  const { folder, file, open } = await testStore(t, 'folder');
  const engine = await open();
  await (await begun(engine, await file('single/output.wf'), { n: 1 })).end;
  await assert.rejects(engine.backUp(path.join(folder, 'runs', 'copy')), /inside the store/);
  await assert.rejects(engine.backUp(folder), /something at that path/);
  await assert.rejects(engine.backUp(path.join(folder, 'no', 'copy')), /no does not exist/);
  mkdirSync(path.join(folder, 'copy'));
  assert.equal((await engine.backUp(path.join(folder, 'copy'))).files, 2);
  assert.ok(existsSync(path.join(folder, 'copy', 'common.db')));
  const database = await testStore(t, 'PostgreSQL');
  if (database.database !== undefined) await assert.rejects((await database.open()).backUp('/tmp/copy'), /tools of the database/);
});
