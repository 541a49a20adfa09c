// Ctrl+C at moments that a signal to a real process does not hit reliably: while a store is opened, and in a rerun.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../src/commands/run.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import { testFile } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { kept, storeKinds } from './kept.js';

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
    const { folder, database = 'runs', env } = await kept(t, kind);
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
