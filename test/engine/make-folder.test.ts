// Folders are made with those above them, and a place that takes none is told instead of tried for ever.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeFolder } from '../../src/engine/make-folder.js';

const root = mkdtempSync(path.join(tmpdir(), 'wf-make-'));
after(() => rmSync(root, { recursive: true, force: true }));
const code =
  (...expected: string[]) =>
  ({ code }: NodeJS.ErrnoException) =>
    expected.includes(code ?? '');

test('makes all that is missing, and leaves what is there', () => {
  const deep = path.join(root, 'a', 'b', 'c');
  for (let turn = 0; turn < 2; turn++) makeFolder(deep, 0o700);
  for (const folder of [deep, path.dirname(deep)]) assert.equal(statSync(folder).mode & 0o777, 0o700);
  makeFolder('/');
});

test('a file in the way is reported', () => {
  const file = path.join(root, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolder(file), code('EEXIST'));
  assert.throws(() => makeFolder(path.join(file, 'below')), code('ENOTDIR'));
  assert.throws(() => makeFolder(path.join(file, 'below', 'deeper')), code('ENOTDIR'));
});

test('a system that refuses every folder is reported', { skip: !existsSync('/proc/self') }, () => {
  for (const folder of ['/proc/none', '/proc/none/deeper'])
    assert.throws(() => makeFolder(folder), code('ENOENT', 'EACCES', 'EPERM'));
});
