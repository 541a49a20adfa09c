// A few seconds of `npm run chaos`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../root.js';
import { runChaos } from './chaos-run.js';
import { randomFrom } from './random-from.js';

// A server whose store thread ends at its start stays unavailable, now and then: an open fault.
const skip = process.env.WF_TEST_CHAOS === undefined && 'an open fault makes it fail at times: WF_TEST_CHAOS=1 runs it';

test('loses nothing and repeats nothing recorded while servers die, sleep and stop', { skip }, async (t) => {
  const say = (line: string): void => t.diagnostic(line);
  const report = await runChaos({ seconds: 5, servers: 2, random: randomFrom(seed(7)), say });
  assert.deepEqual(report.violations, []);
  assert.ok(report.kills + report.stops + report.ends > 2, 'something has happened to the servers');
  assert.ok(report.runs > 5, `${report.runs} runs`);
});
