// The loader of chunks, when a file can't be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachingRequire } from '../src/load-chunk.js';

test('a chunk that cannot be read now is read again when it is needed again', () => {
  const native = Object.assign(() => undefined, { cache: {} }) as unknown as NodeJS.Require; // what the loader uses of it
  const requireChunk = cachingRequire(native);
  for (const _ of ['first', 'second']) assert.throws(() => requireChunk('./chunks/none.cjs'), { code: 'ENOENT' });
});
