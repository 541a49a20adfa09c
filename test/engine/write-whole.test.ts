import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { makeFolder } from '../../src/engine/files/make-folder.js';
import { probeFolder, probeWhole, writeExclusive, writeWhole } from '../../src/engine/files/write-whole.js';

const root = mkdtempSync(path.join(tmpdir(), 'wf-write-'));
const folder = path.join(root, 'logs');
const at = (...parts: string[]) => path.join(folder, ...parts);
const code =
  (...expected: string[]) =>
  ({ code }: NodeJS.ErrnoException) =>
    expected.includes(code ?? '');
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});
after(() => rmSync(root, { recursive: true, force: true }));

test('writes a new file and replaces an old one, and leaves nothing else', async () => {
  await writeWhole(at('a.json'), 'one');
  await writeWhole(at('a.json'), 'two');
  assert.equal(readFileSync(at('a.json'), 'utf8'), 'two');
  assert.deepEqual(readdirSync(folder), ['a.json']);
});

test('a failure throws, keeps the old file and leaves nothing behind', async () => {
  mkdirSync(at('taken', 'inside'), { recursive: true });
  await assert.rejects(writeWhole(at('taken'), 'x'));
  await assert.rejects(writeWhole(at('nowhere', 'a.json'), 'x'), code('ENOENT'));
  assert.deepEqual(readdirSync(folder), ['taken']);
  assert.deepEqual(readdirSync(at('taken')), ['inside']);
});

test('a reader sees either the old text or the new one, whole', async () => {
  const texts = ['a'.repeat(2_000_000), 'b'.repeat(1_000_000)];
  await writeWhole(at('a.json'), texts[0] ?? '');
  let writing = true;
  const writer = (async () => {
    for (let round = 0; round < 10; round++) await writeWhole(at('a.json'), texts[round % 2] ?? '');
    writing = false;
  })();
  while (writing) {
    assert.ok(texts.includes(readFileSync(at('a.json'), 'utf8')));
    await new Promise(setImmediate);
  }
  await writer;
});

test('a link stays a link; a device is written to, not replaced', async () => {
  writeFileSync(at('real.json'), 'old');
  symlinkSync('real.json', at('link.json'));
  await writeWhole(at('link.json'), 'new');
  assert.ok(lstatSync(at('link.json')).isSymbolicLink());
  assert.equal(readFileSync(at('real.json'), 'utf8'), 'new');
  symlinkSync('/dev/null', at('null'));
  await probeWhole(at('null'));
  await writeWhole(at('null'), 'x');
  assert.ok(lstatSync('/dev/null').isCharacterDevice());
});

test('a file keeps its permissions', { skip: process.platform === 'win32' && 'Windows has none' }, async () => {
  for (const mode of [0o600, 0o664, 0o755]) {
    writeFileSync(at('a.wf'), 'old');
    chmodSync(at('a.wf'), mode);
    await writeWhole(at('a.wf'), 'new');
    assert.equal(statSync(at('a.wf')).mode & 0o777, mode);
  }
});

test('never overwrites a file: -2, -3, even with concurrent writers', async () => {
  assert.equal(await writeExclusive(at('run.json'), 'first'), at('run.json'));
  const paths = await Promise.all(Array.from({ length: 20 }, (_, index) => writeExclusive(at('run.json'), `text ${index}`)));
  assert.equal(new Set(paths).size, 20);
  assert.ok(paths.includes(at('run-2.json')) && paths.includes(at('run-21.json')));
  assert.equal(readFileSync(at('run.json'), 'utf8'), 'first');
  for (const [index, file] of paths.entries()) assert.equal(readFileSync(file, 'utf8'), `text ${index}`);
  assert.equal(readdirSync(folder).length, 21);
  await assert.rejects(writeExclusive(at('nowhere', 'run.json'), 'x'), code('ENOENT'));
});

test('a probe finds out without leaving or changing anything', async () => {
  writeFileSync(at('a.json'), 'old');
  await probeWhole(at('a.json'));
  await probeWhole(at('new.json'));
  await probeFolder(folder);
  assert.deepEqual(readdirSync(folder), ['a.json']);
  assert.equal(readFileSync(at('a.json'), 'utf8'), 'old');
  await assert.rejects(probeWhole(folder), code('EISDIR'));
  await assert.rejects(probeWhole(at('a.json', 'b.json')), code('ENOTDIR'));
  await assert.rejects(probeFolder(at('nowhere')), code('ENOENT'));
});

test('a folder and a file without permission', { skip: process.getuid?.() === 0 && 'root may write everywhere' }, async () => {
  writeFileSync(at('a.json'), 'old');
  chmodSync(at('a.json'), 0o444);
  await assert.rejects(probeWhole(at('a.json')), code('EACCES'));
  chmodSync(folder, 0o555);
  await assert.rejects(probeFolder(folder), code('EACCES'));
  chmodSync(folder, 0o755);
});

test('a full disk', { skip: process.platform !== 'linux' && '/dev/full is Linux' }, async () => {
  await assert.rejects(writeWhole('/dev/full', 'x'), code('ENOSPC'));
});

// Creates folders with their parents, and reports a place that allows none instead of retrying forever.

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
