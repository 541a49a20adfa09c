// What stores need and a machine may not have: a package, a version of Node.js. Each is a sentence with the way out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/durable/open-store.js';
import { root, testFile } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

test('a store on PostgreSQL without the package of DBOS says how to install it, before it connects', (t) => {
  const folder = temporaryFolder(t);
  // As installed, with nothing beside it.
  cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true, filter: (name) => !name.endsWith('.map') });
  writeFileSync(path.join(folder, 'hello.wf'), testFile('durable/files/hello.wf'));
  const words = ['run', 'hello.wf', '--store', 'postgres://wf:secret@127.0.0.1:1/wf'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(folder, 'dist/wf.cjs'), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /A store on PostgreSQL needs the package @dbos-inc\/dbos-sdk, which is not installed\./);
  assert.match(stderr, /npm install @dbos-inc\/dbos-sdk/);
  assert.doesNotMatch(stderr, /secret| at /);
});

test('a store on Node.js 18 says which version it needs, and touches nothing', async (t) => {
  const { versions } = process;
  t.after(() => Object.defineProperty(process, 'versions', { value: versions }));
  Object.defineProperty(process, 'versions', { value: { ...versions, node: '18.20.4' }, configurable: true });
  for (const where of ['/nowhere/runs', 'postgres://wf:secret@127.0.0.1:1/wf']) {
    await assert.rejects(openStore(where, { env: {}, cwd: '/' }), {
      name: 'UsageError',
      message: 'A store needs Node.js 20 or newer, and this is 18.20.4.',
    });
  }
});
