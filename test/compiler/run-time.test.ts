// Golden fixtures of failing runs: the exact messages for fixtures/invalid/<WF6xx>[-variant], as the command line shows them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { redactorFor } from '../../runtime/run/redaction.js';
import { callErrors } from '../../runtime/services/call-errors.js';
import { runtimeErrors } from '../../runtime/values/errors.js';
import { compile } from '../../src/compiler/compile.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { workflowFiles } from '../../src/engine/prepare/workflow-files.js';
import { outcomeText } from '../../src/engine/records/terminal-lines.js';
import { assertGolden, cases } from './fixtures.js';
import { loadEmitted } from './load-emitted.js';
import { runFixture } from './run-fixture.js';

/** Codes that no small workflow can cause, and why not. */
const notCaused: Readonly<Record<string, string>> = {
  WF633: 'time has to pass: test/durable/people.test.ts causes it',
  WF630: 'only with a store: test/durable',
  WF631: 'only with a store: test/durable',
  WF632: 'only with a store: test/durable',
  WF692: 'the engine runs out of its own stack or memory; every limit of the language (WF619, WF620) comes before that',
  WF699: 'a fault of wf itself: whoever knows how to cause it mends it',
};

const ofRuns = cases('invalid').filter(({ name }) => name.startsWith('WF6'));

for (const one of ofRuns) {
  test(one.name, async () => {
    const source = readFileSync(path.join(one.folder, 'input.wf'), 'utf8');
    const compiled = compile(source, { file: 'input.wf', files: workflowFiles('input.wf', one.folder) });
    assert.equal(renderText(compiled.diagnostics, { colour: false }), '', 'the check finds nothing');
    assert.ok(!compiled.hasErrors);
    const { code, info: workflow } = compiled.emitted;
    let redactor = redactorFor([]);
    const outcome = await runFixture(one, code, (details) => {
      redactor = details.redactor;
    });
    assert.equal(outcome.error?.code, one.name.slice(0, 5), outcome.message);
    assert.match(outcome.message ?? '', /[.)]$/, 'a sentence');
    const { run } = await loadEmitted(code);
    const prepared = {
      file: 'input.wf',
      basename: 'input',
      workflow,
      run,
      loadPlugin: async () => undefined,
      warnings: [],
      source,
    };
    assertGolden(one, 'expected.txt', `${outcomeText({ outcome, prepared, redactor }, { colour: false })}\n`);
  });
}

test('every run-time code has a fixture, or a reason why it has none', () => {
  const shown = new Set(ofRuns.map(({ name }) => name.slice(0, 5)));
  const all = Object.keys({ ...runtimeErrors, ...callErrors });
  assert.deepEqual([...shown, ...Object.keys(notCaused)].sort(), all.sort());
});
