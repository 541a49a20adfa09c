// Random well-formed programs, compiled and run, do what an evaluator written from docs/language.md says: same outcome, outputs, message,
// logs and calls. `npm run fuzz` runs the same for longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agrees, tapes } from './programs/property.js';

test('compiled programs and the evaluator agree', async () => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(tapes, async (tape) => {
      const end = (await agrees(tape)) ?? 'left out';
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }),
    { seed: 7, numRuns: 300 },
  );
  // No single kind of end may dominate the generated programs.
  for (const end of ['completed', 'rejected', 'error'])
    assert.ok((ends.get(end) ?? 0) >= 5, `${end}: ${JSON.stringify([...ends])}`);
});
