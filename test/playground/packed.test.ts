// What is packed for the way to the browser comes out as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack } from '../../src/playground/packed/pack.js';
import { unpack } from '../../src/playground/packed/unpack.js';

test('packing and unpacking give back every text', () => {
  const texts = ['', 'a', 'aaaaaaaa', 'banana', 'Zürich → 東京 😀', 'abc'.repeat(500), '\0\u00ff\uffff'];
  for (const text of texts) assert.equal(unpack(pack(text)), text);
  const some = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 300 }),
  );
  fc.assert(fc.property(some, (text) => assert.equal(unpack(pack(text)), text)));
});

test('packed code is smaller than gzip makes it', () => {
  const text = Array.from(
    { length: 3_000 },
    (_, index) => `const value${index % 97} = read(${index % 13}, "name ${index % 7}");`,
  ).join('\n');
  assert.ok(pack(text).length < gzipSync(text).length * 0.8);
});
