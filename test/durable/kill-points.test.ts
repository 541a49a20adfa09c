// A run with effects of every kind continues from wherever it was cut: nothing is lost, nothing recorded is sent again, and the outcome is
// the same. `npm run chaos -- --kill-points` tries each point, including half-written ones; this test tries one every few, and `--slow`
// all of the smaller workflow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halfOf, isSlow } from '../root.js';
import { type KillPoints, killPoints } from './kill-points.js';

/** Number of points to try here. */
const TRIED = 4;

test('cut at its writes, a run has the same outcome and sends nothing twice', async (t) => {
  const points = await killPoints();
  t.after(() => points.close());
  const { states, whole } = points;
  t.diagnostic(`${states.length} writes; ${whole.calls.size} calls`);
  assert.ok(whole.calls.size >= 14, 'calls of every kind');
  for (let tried = 0; tried < TRIED; tried++) {
    const index = Math.floor(((tried + 0.5) * states.length) / TRIED);
    const state = tried % 4 === 3 ? (points.torn(index, 0.6) ?? states[index]) : states[index];
    if (state !== undefined) assert.deepEqual(await points.resume(state), [], state.after);
  }
});

/** From each of its states, or from some in a quick test. */
async function continuesFromEach({ states, torn, resume }: KillPoints): Promise<void> {
  const tried = isSlow ? states.length : TRIED;
  for (const count of halfOf([...Array(tried).keys()])) {
    const index = Math.floor(((count + 0.5) * states.length) / tried);
    const state = count % 3 === 2 ? (torn(index, 0.6) ?? states[index]) : states[index];
    if (state !== undefined) assert.deepEqual(await resume(state), [], state.after);
  }
}

test('cut at its writes, a block that ends when enough branches are done ends alike, and the others do nothing more', async (t) => {
  const points = await killPoints('until-done.wf');
  t.after(() => points.close());
  const { whole } = points;
  assert.deepEqual([whole.outputs.late, (whole.outputs.found as unknown[]).length], ['no', 2]);
  const paths = [...whole.calls.values()];
  assert.ok(!['/calls/91', '/calls/92', '/calls/7'].some((path) => paths.includes(path)), paths.join());
  await continuesFromEach(points);
});

test('cut at its writes, a run has a message that came days before it waited for it', async (t) => {
  const points = await killPoints('early-message.wf', 'early');
  t.after(() => points.close());
  const { whole } = points;
  assert.equal(whole.outputs.paid, 250);
  await continuesFromEach(points);
});
