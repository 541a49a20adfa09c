// The cache does not grow without limit: it drops what is unused for long, and nothing that belongs to others.
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cacheFolder, prune, readStored } from '../../src/engine/cache/cache-store.js';
import { type Folder, folderWith, workflow } from '../commands/wf.js';
import { cli } from '../root.js';

const files = { 'a.wf': workflow('    complete with a 1'), 'b.wf': workflow('    complete with b 1') };
const daysAgo = (days: number): number => Date.now() / 1_000 - days * 24 * 60 * 60;
const cacheOf = (folder: Folder): string => path.join(folder.path, '.cache', 'wf');

function put(folder: string, name: string, days: number): string {
  const file = path.join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, 'x', { mode: 0o600 });
  utimesSync(file, daysAgo(days), daysAgo(days));
  return file;
}

const entryName = (number: number): string => `${number.toString(16).padStart(24, '0')}.cjs`;

test('writing an entry removes those unused for 30 days, and keeps files that are not from wf', (context) => {
  const folder = folderWith(context, files);
  const cache = cacheOf(folder);
  const old = put(cache, entryName(1), 31);
  const draft = put(cache, `.${entryName(2)}.123.a1b2c3`, 31);
  const recent = put(cache, entryName(3), 29);
  const foreign = [put(cache, 'notes.txt', 400), put(cache, 'module.cjs', 400), put(path.join(cache, 'code'), 'letter', 400)];
  const oldCode = put(path.join(cache, 'code'), 'run-0.0.9-10.2.154.26-node.39-x64-1795238392652-88349-2236145', 31);
  assert.equal(folder.wf(['run', 'a.wf']).status, 0);
  assert.deepEqual([old, draft, oldCode].filter(existsSync), []);
  assert.deepEqual([recent, ...foreign].filter(existsSync), [recent, ...foreign]);
});

test('keeps the most recently used of many entries', (context) => {
  const folder = folderWith(context, files);
  const cache = cacheOf(folder);
  for (let number = 0; number < 700; number++) put(cache, entryName(number), 1 + number / 100);
  assert.equal(folder.wf(['run', 'a.wf']).status, 0);
  const left = readdirSync(cache).filter((name) => name.endsWith('.cjs'));
  assert.equal(left.length, 450);
  assert.ok(left.includes(entryName(0)) && left.includes(entryName(448)) && !left.includes(entryName(449)));
});

test('prunes once a day', (context) => {
  const folder = folderWith(context, files);
  assert.equal(folder.wf(['run', 'a.wf']).status, 0);
  const cache = cacheOf(folder);
  const old = put(cache, entryName(1), 31);
  assert.equal(folder.wf(['run', 'b.wf']).status, 0);
  assert.ok(existsSync(old));
  utimesSync(path.join(cache, 'pruned'), daysAgo(2), daysAgo(2));
  assert.equal(folder.wf(['run', 'b.wf', '--verbose']).status, 0);
  assert.ok(!existsSync(old));
});

test('keeps an entry that is used', (context) => {
  const folder = folderWith(context, files);
  assert.equal(folder.wf(['run', 'a.wf']).status, 0);
  const [name = ''] = readdirSync(cacheOf(folder)).filter((found) => found.endsWith('.cjs'));
  const entry = path.join(cacheOf(folder), name);
  utimesSync(entry, daysAgo(31), daysAgo(31));
  assert.equal(folder.wf(['run', 'a.wf']).status, 0);
  assert.ok(statSync(entry).mtimeMs / 1_000 > daysAgo(1));
  assert.equal(folder.wf(['run', 'b.wf']).status, 0);
  assert.ok(existsSync(entry));
});

test('survives missing folders, links, and folders named like entries', (context) => {
  const folder = folderWith(context, files);
  const cache = cacheOf(folder);
  prune(path.join(folder.path, 'nowhere'), /x/, 1);
  assert.equal(readStored(path.join(folder.path, 'nowhere', 'x')), undefined);
  const name = entryName(7);
  put(path.join(cache, name), 'inside', 400);
  utimesSync(path.join(cache, name), daysAgo(400), daysAgo(400));
  assert.equal(folder.wf(['run', 'a.wf']).status, 0);
  assert.ok(existsSync(path.join(cache, name, 'inside')));
});

test('without a home, writes no cache next to the workflow', (context) => {
  const folder = folderWith(context, files);
  for (const HOME of ['', 'relative']) assert.equal(folder.wf(['run', 'a.wf'], { HOME, XDG_CACHE_HOME: '' }).status, 0);
  assert.deepEqual(readdirSync(folder.path).sort(), ['a.wf', 'b.wf']);
});

test('finds the cache folder', () => {
  assert.equal(cacheFolder({ env: { HOME: '', XDG_CACHE_HOME: 'relative', WF_CACHE: 'off' } }), undefined);
  assert.equal(cacheFolder({ env: { HOME: '/home/ada' } }), path.join('/home/ada', '.cache', 'wf'));
  assert.equal(cacheFolder({ env: { HOME: '/home/ada', XDG_CACHE_HOME: '/var/cache' } }), path.join('/var/cache', 'wf'));
});

test('wf runs for a user without an account entry or a home', (context) => {
  const asStranger = (...words: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, words, { cwd: '/', env: {}, uid: 54_321, gid: 54_321, encoding: 'utf8' });
  if (process.getuid?.() !== 0 || asStranger('-e', `fs.accessSync(${JSON.stringify(cli)})`).status !== 0)
    return context.skip('only root can be somebody else');
  const { status, stderr } = asStranger(cli, 'check', '--help');
  assert.deepEqual([status, stderr], [0, '']);
});
