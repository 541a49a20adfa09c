// Comparisons with a fixed number: the inline code of the emitter agrees with the runtime, especially for close values.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { above, atLeast, atMost, below } from '../../runtime/values/comparison.js';
import { compile } from '../../src/compiler/compile.js';
import { root, runs, seed } from '../root.js';
import { loadEmitted } from './load-emitted.js';

const source = readFileSync(path.join(root, 'test/compiler/files/order.wf'), 'utf8');

/** Numbers at, near and far from `fixed`. */
const near = (fixed: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(fixed, fixed + 1, fixed - 1),
    fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.constantFrom(1e-16, 1e-15, 1e-14, 1e-13, 1e-12))
      .map(([n, by]) => fixed + n * by * fixed),
    fc.integer({ min: -50, max: 50 }).map((n) => fixed + n / 10),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  );

for (const fixed of ['100', '0', '-3', '0.3', '1200.5', '999999999999', '100.00000000000001', '0.1000000000000000055']) {
  test(`compared with ${fixed}`, async () => {
    const compiled = compile(source.replaceAll('100', fixed), { file: 'order.wf' });
    assert.ok(!compiled.hasErrors);
    const { run } = await loadEmitted(compiled.emitted.code);
    const value = Number(fixed);
    await fc.assert(
      fc.asyncProperty(near(value), async (n) => {
        const expected = { above: above(n, value), below: below(n, value), least: atLeast(n, value), most: atMost(n, value) };
        assert.deepEqual((await run({ n })).outputs, expected, String(n));
      }),
      { numRuns: runs(500), seed: seed(11) },
    );
  });
}
