// The loader of chunks, when a file can't be read.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { distFolder } from '../src/dist-folder.js';
import { fileFault, isOfProgram } from '../src/engine/files/file-fault.js';
import { cachingRequire, keepChunks } from '../src/load-chunk.js';
import { temporaryFolder } from './temporary-folder.js';

/** What the loader uses of the `require` of Node.js. */
const nativeRequire = (): NodeJS.Require => Object.assign(() => undefined, { cache: {} }) as unknown as NodeJS.Require;

test('a chunk that cannot be read now is read again when it is needed again', () => {
  const requireChunk = cachingRequire(nativeRequire());
  for (const _ of ['first', 'second'])
    assert.throws(
      () => requireChunk('./chunks/none.cjs'),
      (error: Error) => isOfProgram(error) && fileFault(error) === 'it does not exist' && !error.message.includes(distFolder),
    );
});

test('a process that lasts has the chunks that it started with, whatever becomes of their files', async (t) => {
  const dist = temporaryFolder(t);
  mkdirSync(path.join(dist, 'chunks'));
  const files = ['replaced', 'removed'].map((name) => path.join(dist, 'chunks', `${name}.cjs`));
  const [replaced = '', removed = ''] = files;
  for (const file of files) writeFileSync(file, '(exports)=>{exports.says="first"}\n//tests\n');
  await keepChunks(dist);
  writeFileSync(replaced, '(exports)=>{exports.says="other"}\n//other\n');
  rmSync(removed);
  const requireChunk = cachingRequire(nativeRequire(), dist);
  for (const file of files) assert.deepEqual(requireChunk(`./chunks/${path.basename(file)}`), { says: 'first' });
});

test('a chunk of another build is no part of this one, and is not kept either', async (t) => {
  const dist = temporaryFolder(t);
  mkdirSync(path.join(dist, 'chunks'));
  writeFileSync(path.join(dist, 'chunks', 'part.cjs'), '(exports)=>{}\n//other\n');
  await keepChunks(dist);
  assert.throws(
    () => cachingRequire(nativeRequire(), dist)('./chunks/part.cjs'),
    (error) => isOfProgram(error) && fileFault(error) === 'it belongs to another build',
  );
});
