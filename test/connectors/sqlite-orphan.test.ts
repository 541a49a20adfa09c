// The process of an SQLite file ends with its parent, even in the middle of a statement that would run for hours.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';

const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';

const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended, but was not waited for, is a zombie.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('ends when its parent is killed', { skip: process.platform !== 'linux' }, async (t) => {
  const folder = temporaryFolder(t);
  const script = `
    const { fork } = require('node:child_process');
    const child = fork(${JSON.stringify(path.join(root, 'dist/sqlite-process.cjs'))}, { serialization: 'advanced' });
    child.send({ file: ${JSON.stringify(path.join(folder, 'a.db'))}, text: ${JSON.stringify(endless)}, values: [] });
    process.stdout.write(String(child.pid));`;
  writeFileSync(path.join(folder, 'parent.cjs'), script);
  const parent = spawn(process.execPath, [path.join(folder, 'parent.cjs')], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = Number(String(await once(parent.stdout, 'data')));
  t.after(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  const cpuOf = (): number => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13]);
  // It is executing the statement.
  const before = cpuOf();
  await until(() => cpuOf() > before + 30);
  parent.kill('SIGKILL');
  await until(() => !isAlive(pid));
  assert.equal(isAlive(pid), false);
});
