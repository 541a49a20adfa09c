// Creates folders with their parents, and reports a place that allows none instead of retrying forever.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeFolder } from '../../src/engine/files/make-folder.js';

const root = mkdtempSync(path.join(tmpdir(), 'wf-make-'));
after(() => rmSync(root, { recursive: true, force: true }));
const code =
  (...expected: string[]) =>
  ({ code }: NodeJS.ErrnoException) =>
    expected.includes(code ?? '');

test('creates what is missing, and keeps what exists', () => {
  const deep = path.join(root, 'a', 'b', 'c');
  for (let turn = 0; turn < 2; turn++) makeFolder(deep, 0o700);
  for (const folder of [deep, path.dirname(deep)]) assert.equal(statSync(folder).mode & 0o777, 0o700);
  makeFolder('/');
});

test('reports a file in the way', () => {
  const file = path.join(root, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolder(file), code('EEXIST'));
  assert.throws(() => makeFolder(path.join(file, 'below')), code('ENOTDIR'));
  assert.throws(() => makeFolder(path.join(file, 'below', 'deeper')), code('ENOTDIR'));
});

test('reports a system that refuses every folder', { skip: !existsSync('/proc/self') }, () => {
  for (const folder of ['/proc/none', '/proc/none/deeper'])
    assert.throws(() => makeFolder(folder), code('ENOENT', 'EACCES', 'EPERM'));
});
