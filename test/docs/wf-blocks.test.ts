// Every ```wf block in the docs is a valid workflow, or lines of one, and produces what its comments promise.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { createEngine } from '../../src/engine/engine.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { isWhole, promisesOf, wholeFile } from './fragment.js';
import { pages } from './page.js';

/** A fragment with sections has no statements that use them. */
const ONLY_OF_WHOLE_FILES = new Set(['WF105']);

for (const { name, blocks } of pages) {
  const shown = blocks.filter(({ language }) => language === 'wf');
  if (shown.length === 0) continue;
  test(`the workflows of ${name} are valid`, () => {
    for (const { place, text, marks } of shown) {
      const { diagnostics } = checkFile(wholeFile(text), place);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      const warnings = diagnostics.filter(
        ({ severity, code }) => severity === 'warning' && (isWhole(text) || !ONLY_OF_WHOLE_FILES.has(code)),
      );
      if (marks.includes('wrong')) assert.notEqual(errors.length, 0, `${place} is marked as wrong and has no error`);
      else assert.equal(renderText(errors, { colour: false }), '');
      if (marks.includes('warns')) assert.notEqual(warnings.length, 0, `${place} is marked with "warns" and has no warning`);
      else if (!marks.includes('wrong')) assert.equal(renderText(warnings, { colour: false }), '');
    }
  });

  const promising = shown.filter(({ text }) => promisesOf(text).length > 0);
  if (promising.length === 0) continue;
  test(`the results that ${name} shows are right`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wf-docs-'));
    const engine = createEngine({ env: {}, mock: true });
    try {
      for (const [index, { place, text }] of promising.entries()) {
        const file = `fragment-${index}.wf`;
        writeFileSync(path.join(folder, file), wholeFile(text));
        const preparation = await prepare(file, { cwd: folder, env: { WF_CACHE: 'off' } });
        assert.ok(preparation.ok, place);
        const { outcome } = await engine.execute(preparation.prepared, {});
        assert.equal(outcome.message, undefined, `${place}: ${outcome.message}`);
        for (const { name: output, value } of promisesOf(text))
          assert.deepEqual(outcome.outputs?.[output] ?? null, value, `${place}: ${output}`);
      }
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
