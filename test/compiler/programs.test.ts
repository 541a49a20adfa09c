// Random well-formed programs, compiled and run, do what an evaluator written from docs/language.md says: same outcome, outputs, message,
// logs and calls. Slow for thousands of them: WF_TEST_SLOW=1 runs these, and `npm run fuzz` others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { half, isSlow } from '../root.js';
import { agrees, tapes } from './programs/property.js';
import { isCallOfPart } from './programs/run-program.js';
import type { Seen } from './programs/seen.js';

const PROGRAMS = isSlow ? (half === undefined ? 5_000 : 2_500) : 75;

test('compiled programs and the evaluator agree', async () => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(tapes, async (tape) => {
      for (const end of endsOf(await agrees(tape))) ends.set(end, (ends.get(end) ?? 0) + 1);
    }),
    { seed: 7, numRuns: PROGRAMS },
  );
  // No single kind of end may dominate the generated programs.
  for (const end of ['completed', 'rejected', 'error', 'refused', 'called', 'failed in a called workflow'])
    assert.ok((ends.get(end) ?? 0) >= PROGRAMS / 75, `${end}: ${JSON.stringify([...ends])}`);
});

function endsOf(seen: Seen | undefined): string[] {
  if (seen === undefined) return ['left out'];
  const called = seen.calls.filter(isCallOfPart);
  return [
    seen.problems === undefined ? seen.status : 'refused',
    ...(called.some(({ ok }) => ok) ? ['called'] : []),
    ...(called.some(({ ok }) => !ok) ? ['failed in a called workflow'] : []),
  ];
}
