// Golden fixtures of errors: the exact messages for fixtures/invalid/<code>[-variant]/input.wf, or for the output of its input.mjs if the
// text is unsuitable for a file: invalid bytes, or thousands of lines.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { redactorFor } from '../../runtime/run/redaction.js';
import { callErrors } from '../../runtime/services/call-errors.js';
import { runtimeErrors } from '../../runtime/values/errors.js';
import { analyse } from '../../src/analysis/analyse.js';
import { checkFile, compile } from '../../src/compiler/compile.js';
import { titles } from '../../src/compiler/diagnostics/catalogue/titles.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { workflowFiles } from '../../src/engine/prepare/workflow-files.js';
import { outcomeText } from '../../src/engine/records/terminal-lines.js';
import { assertGolden, type Case, cases } from './fixtures.js';
import { loadEmitted } from './load-emitted.js';
import { runFixture } from './run-fixture.js';

/** Golden files list no more faults than this: they repeat a thousand times. */
const MOST_SHOWN = 10;

/** Codes about the number of faults, which appear along with those faults. */
const COUNTS_FAULTS = new Set(['WF013']);

const ofCompiler = cases('invalid').filter(({ name }) => !name.startsWith('WF6'));

async function sourceOf({ folder }: Case): Promise<Uint8Array | string> {
  const file = path.join(folder, 'input.mjs');
  if (!existsSync(file)) return readFileSync(path.join(folder, 'input.wf'));
  const module: { default: Uint8Array | string } = await import(pathToFileURL(file).href);
  return module.default;
}

for (const one of ofCompiler) {
  test(one.name, async () => {
    const code = one.name.slice(0, 5);
    const files = workflowFiles('input.wf', one.folder);
    const checked = checkFile(await sourceOf(one), 'input.wf', { files });
    const { hasErrors } = checked;
    // `wf check` adds what the analysis finds; the other fixtures leave ways open that they are not about.
    const all = /^WF15/.test(code) ? analyse(checked, 'input.wf') : checked.diagnostics;
    // The mistakes of a called workflow have their own fixtures.
    const diagnostics = all.filter(({ file }) => file === 'input.wf');
    const ofCode = diagnostics.filter((diagnostic) => diagnostic.code === code);
    // One mistake causes one message: the file must produce nothing else.
    if (!COUNTS_FAULTS.has(code)) assert.deepEqual(diagnostics, ofCode);
    assert.notEqual(ofCode.length, 0);
    assert.equal(hasErrors, !code.startsWith('WF1'));
    for (const { message, hint = '' } of ofCode) {
      assert.match(message, /\.$/, 'a sentence');
      assert.doesNotMatch(`${message}\n${hint}`, /undefined|\[object|NaN/);
    }
    const shown = ofCode.slice(0, MOST_SHOWN);
    assertGolden(one, 'expected.txt', `${renderText(shown, { colour: false })}\n`);
  });
}

test('every code of the compiler has a fixture', () => {
  const shown = new Set(ofCompiler.map(({ name }) => name.slice(0, 5)));
  assert.deepEqual([...shown].sort(), Object.keys(titles).sort());
});

// Golden fixtures of failing runs: the exact messages for fixtures/invalid/<WF6xx>[-variant], as the command line shows them.

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
