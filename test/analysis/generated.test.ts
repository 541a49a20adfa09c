// Cases that `wf test --generate` makes from nothing: how much of a workflow they reach, and that nothing comes twice.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture, isSlow } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { wfTest } from '../testing/in-memory-io.js';

const examples = readdirSync(fixture('examples')).filter((name) => name.endsWith('.wf'));
/** Each takes a second. */
const chosen = isSlow ? examples : ['daily-sales-report.wf', 'invoice-matching.wf', 'loan-decision.wf'];

for (const name of chosen)
  test(`generates cases that reach most of ${name}`, async (t) => {
    const data = Object.fromEntries(
      readdirSync(fixture('examples'))
        .filter((file) => /\.(?:wf|xlsx)$/.test(file))
        .map((file) => [file, readFileSync(fixture('examples', file))]),
    );
    const folder = temporaryFolder(t, data);
    const generated = await wfTest(folder, [name], { generate: true });
    assert.equal(generated.exit, 0, generated.err);
    const again = await wfTest(folder, [name], { generate: true });
    assert.match(again.out, /nothing new to add/);
    const tested = await wfTest(folder, [name], { coverage: '90' });
    assert.equal(tested.exit, 0, tested.out + tested.err);
  });
