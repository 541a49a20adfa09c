// Random well-formed programs, compiled and run, do what the evaluator of docs/language.md says: same outcome, outputs, message, logs
// and calls. `npm run fuzz` does the same for as long as it is told.
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
    { seed: 7, numRuns: 600 },
  );
  // The generator must not drown in one kind of end.
  for (const end of ['completed', 'rejected', 'error'])
    assert.ok((ends.get(end) ?? 0) >= 5, `${end}: ${JSON.stringify([...ends])}`);
});
