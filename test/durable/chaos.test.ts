// A few seconds of `npm run chaos`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../root.js';
import { runChaos } from './chaos-run.js';
import { randomFrom } from './random-from.js';

test('loses nothing and repeats nothing recorded while servers die, sleep and stop', async (t) => {
  const atLeast = { runs: 6, faults: 3 };
  const say = (line: string): void => t.diagnostic(line);
  const report = await runChaos({ seconds: 5, atLeast, servers: 2, random: randomFrom(seed(7)), say });
  assert.deepEqual(report.violations, []);
});
