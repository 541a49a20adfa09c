// Interrupted runs: by a signal during `wf run`, while a store is opened, in a rerun, and while they wait. Their logs say so.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../src/commands/run.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import { cli, testFile } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { mortal } from './mortal.js';
import { begun, storeKinds, testStore } from './test-store.js';

interface Case {
  readonly store: readonly string[];
  readonly exit: number;
  readonly status: RegExp;
  readonly said: RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  'without a store': { store: [], exit: 1, status: /^error$/, said: /interrupted/ },
  // It may be released before it begins to wait.
  'with a store': {
    store: ['--store', 'runs'],
    exit: 130,
    status: /^(?:running|waiting)$/,
    said: /^Interrupted\. Go on with: wf runs resume [0-9a-f-]{36} --store runs$/m,
  },
};

for (const [where, { store, exit, status, said }] of Object.entries(cases))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`${signal} ${where}: the log so far, and exit code ${exit}`, async (t) => {
      const folder = temporaryFolder(t, { 'slow.wf': testFile('durable/files/interrupted.wf') });
      const words = ['run', 'slow.wf', '--output-log', 'logs/run.json', ...store];
      const env = { PATH: process.env.PATH ?? '', HOME: folder };
      const run = spawn(process.execPath, [cli, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const exited = once(run, 'exit');
      let [out, err] = ['', ''];
      run.stdout.on('data', (data) => {
        out += data;
      });
      run.stderr.on('data', (data) => {
        err += data;
      });
      await until(() => out.includes('begun'));
      run.kill(signal);
      assert.deepEqual(await exited, [exit, null], err);
      assert.match(err, said);
      const log = JSON.parse(readFileSync(path.join(folder, 'logs', 'run.json'), 'utf8')) as Record<string, unknown>;
      assert.match(String(log.status), status);
      const [first] = log.entries as { readonly message?: string }[]; // the form of a log
      assert.equal(first?.message, 'begun');
    });

// Ctrl+C at moments that a signal to a real process does not hit reliably: while a store is opened, and in a rerun.

test('Ctrl+C while the store is opened: the run does not begin', async (t) => {
  const cwd = temporaryFolder(t, { 'done.wf': testFile('durable/files/commands/done.wf') });
  const io = inMemoryIo(cwd, { WF_CACHE: 'off', HOME: cwd, WF_STORE: 'runs' }, (stop) => {
    if (!existsSync(path.join(cwd, 'runs'))) stop('SIGINT', 1);
  });
  const exit = await runCommand('done.wf', { input: '{"n": 7}' }, io);
  assert.deepEqual({ exit, ...io.written }, { exit: 130, out: '', err: 'Interrupted before the run began. Nothing was done.\n' });
});

for (const kind of storeKinds)
  test(`Ctrl+C in a rerun lets go of the run, ${kind}`, async (t) => {
    const { folder, database = 'runs', env } = await testStore(t, kind);
    const write = (line: string): void => writeFileSync(path.join(folder, 'a.wf'), `workflow:\n    trigger: t\n\n    ${line}\n`);
    const inFolder = { ...env, WF_STORE: database };
    const first = inMemoryIo(folder, inFolder);
    write('complete');
    await runCommand('a.wf', { quiet: true }, first);
    const ID = /[0-9a-f-]{36}/;
    write('wait 20 seconds');
    const io = inMemoryIo(folder, inFolder, (stop) => stop('SIGINT', 1));
    const exit = await runsCommand(['rerun', ID.exec(first.written.err)?.[0] ?? ''], { current: true }, io);
    const run = ID.exec(io.written.err)?.[0] ?? '';
    const err = `Run ${run}\nInterrupted. Go on with: wf runs resume ${run}\n`;
    assert.deepEqual({ exit, ...io.written }, { exit: 130, out: '', err });
    const listed = inMemoryIo(folder, inFolder);
    await runsCommand(['list'], {}, listed);
    assert.match(listed.written.out, new RegExp(`^${run} .+ (?:running|waiting) `));
  });

// A run whose process ends while it waits in memory was interrupted, and its log says so. One that had left memory was not.

/** How a process ends. Another one over a database cannot be killed here. */
const ends = [
  ['folder', 'is killed'],
  ['folder', 'stops'],
  ['PostgreSQL', 'stops'],
] as const;

for (const [kind, end] of ends)
  test(`the log says that a run was resumed whose process ${end} while it waits for seconds (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const prepared = await file('single/short-waits.wf');
    ledger.fails = ({ step }) => step === 2 && ledger.received.length === 2;
    const dying = async (): Promise<Awaited<ReturnType<typeof mortal>>> => {
      if (end === 'is killed') return mortal(open);
      const engine = await open();
      return { engine, kill: () => engine.close(0) };
    };
    const first = await dying();
    const { run } = await begun(first.engine, prepared);
    const waitsFor = (engine: typeof first.engine, what: string) => async () =>
      (await engine.state(run))?.waitingFor?.kind === what;
    await until(waitsFor(first.engine, 'time'));
    await first.kill();
    const second = await dying();
    await second.engine.serve();
    await until(waitsFor(second.engine, 'retry'));
    await second.kill();
    const last = await open();
    await last.serve();
    assert.equal((await last.settled(run, 'ended', 60_000))?.status, 'completed');
    const log = await last.log(run);
    assert.deepEqual(
      log.map(({ type, line }) => [type, line]),
      [
        ['call', 11],
        ['wait', 12],
        ['resumed', undefined],
        ['call', 13],
        ['retry', 13],
        ['resumed', undefined],
        ['call', 13],
      ],
    );
    for (const { type, message } of log)
      if (type === 'resumed')
        assert.equal(message, 'The run was resumed after its process had ended.', 'no call was in progress');
  });

for (const kind of storeKinds)
  test(`a run that was not in memory was not interrupted (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const prepared = await file('single/calls-around-a-message.wf');
    const engine = await open();
    const { run, end } = await begun(engine, prepared);
    assert.equal((await end).kind, 'paused');
    await engine.close(0);
    const other = await open();
    await other.serve();
    await other.send({ name: 'go', body: { word: 'go' }, run });
    assert.equal((await other.settled(run, 'ended', 60_000))?.status, 'completed');
    const log = await other.log(run);
    assert.ok(!log.some(({ type }) => type === 'resumed'), JSON.stringify(log));
  });
