// Random programs that die at every barrier do what the evaluator says, like those that never die: same end, outputs, log and calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longTapes } from '../compiler/programs/property.js';
import { startOfPrograms } from '../compiler/programs/seen.js';
import { runs, seed } from '../root.js';
import { survives } from './crashed-program.js';
import { fakeClock } from './fake-clock.js';

test('programs that die at every barrier and the evaluator agree', async (t) => {
  // A wait advances `now`, which the evaluator doesn't model.
  fakeClock.freeze(startOfPrograms.getTime());
  t.after(() => {
    fakeClock.offset = 0;
  });
  let deaths = 0;
  await fc.assert(
    fc.asyncProperty(longTapes, async (tape) => {
      deaths += (await survives(tape))?.deaths ?? 0;
    }),
    { seed: seed(5), numRuns: runs(60) },
  );
  t.diagnostic(`${deaths} deaths`);
  assert.ok(deaths > runs(150), `${deaths} deaths`);
});
