// Power cuts at any write: everything promised is on disk. `npm run chaos -- --power-cuts 400` tries more moments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSlow, seed } from '../root.js';
import { powerCuts } from './power-cuts.js';
import { randomFrom } from './random-from.js';

/** Number of moments to try here. */
const TRIED = isSlow ? 6 : 3;

test('a power cut loses nothing that was promised, and the judge would notice if it did', async (t) => {
  const scene = await powerCuts();
  if (scene === undefined) return t.skip('no C compiler on this machine: power cuts are not simulated');
  t.after(() => scene.close());
  const { events } = scene;
  const random = randomFrom(seed(11));
  for (let tried = 0; tried < TRIED; tried++) {
    const index = Math.floor(((tried + random()) * events.length) / TRIED);
    assert.deepEqual(await scene.cut(index, random), [], `after event ${index} of ${events.length}`);
  }
  // With `synchronous=NORMAL`, a commit does not flush the log of writes.
  const unsafe = await scene.cut(
    events.length - 1,
    () => 1,
    (file) => !file.endsWith('-wal'),
  );
  assert.ok(unsafe.length > 0, 'without flushes, runs are lost');
});
