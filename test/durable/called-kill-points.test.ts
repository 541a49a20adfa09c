// A run with called workflows, three levels deep, in loops and at the same time, continues from wherever it was cut: before, during and after
// each of their effects. The runs of the called workflows are the same as without a cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halfOf, isSlow } from '../root.js';
import { killPoints } from './kill-points.js';

/** Number of points to try here. */
const TRIED = 16;

test('cut inside called workflows, a run and those that it calls have the same outcome and send nothing twice', async (t) => {
  const points = await killPoints('calling-effects.wf');
  t.after(() => points.close());
  const { states, whole } = points;
  t.diagnostic(`${states.length} writes; ${whole.calls.size} calls`);
  assert.equal(whole.called.length, 7, whole.called.join('\n'));
  const tried = isSlow ? states.length : TRIED;
  for (const count of halfOf([...Array(tried).keys()])) {
    const index = Math.floor(((count + 0.5) * states.length) / tried);
    const state = count % 4 === 3 ? (points.torn(index, 0.6) ?? states[index]) : states[index];
    if (state !== undefined) assert.deepEqual(await points.resume(state), [], state.after);
  }
});
