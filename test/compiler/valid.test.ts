// Golden fixtures of valid files: what each phase produces from fixtures/valid/<case>/input.wf, and how a run of it ends.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse as parseJavaScript } from 'acorn';
import type { LogEntry, Outcome } from '../../runtime/types.js';
import { layout } from '../../src/compiler/1-layout/layout.js';
import type { Expression, Statement } from '../../src/compiler/2-parse/tree.js';
import { compile } from '../../src/compiler/compile.js';
import { decode } from '../../src/compiler/decode.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { workflowFiles } from '../../src/engine/prepare/workflow-files.js';
import { assertGolden, cases } from './fixtures.js';
import { runFixture } from './run-fixture.js';
import { showTokens } from './show-tokens.js';
import { showTree } from './show-tree.js';

/** `12 Add up: call {"service":"Stock"}`. Leaves out what depends on the clock. */
function entryText({ time: _time, durationMs: _duration, type, step, line, ...details }: LogEntry): string {
  const where = [line, step === undefined ? undefined : `${step}:`].filter((part) => part !== undefined);
  const what = Object.keys(details).join() === 'message' ? details.message : JSON.stringify(details);
  return [...where, type, what].join(' ');
}

const outcomeText = ({ status, outputs, message, error, log }: Outcome): string =>
  `${JSON.stringify({ status, outputs, message: error === undefined ? message : undefined, error, log: log.map(entryText) }, null, 2)}\n`;

type Kinds<T extends { readonly kind: string }> = { readonly [K in T['kind']]: true };

const statementKinds: Omit<Kinds<Statement>, 'broken'> = {
  ...{ 'wait for': true, 'wait until': true, 'look up': true, 'at the same time': true },
  ...{ step: true, set: true, add: true, log: true, if: true, 'for each': true, 'for each field': true, repeat: true },
  ...{ skip: true, stop: true, wait: true },
  ...{ call: true, ask: true, complete: true, reject: true },
};
const expressionKinds: Kinds<Expression> = {
  ...{ reference: true, text: true, number: true, constant: true, list: true, group: true, builtin: true, arithmetic: true },
  ...{ shift: true, difference: true, arranged: true, iteration: true, record: true, field: true },
  ...{ comparison: true, between: true, state: true, logic: true, not: true },
};

test('every statement and form of expression has a small fixture', () => {
  const needed = [
    ...Object.keys(statementKinds).map((kind) => `statement-${kind.replaceAll(' ', '-')}`),
    ...Object.keys(expressionKinds).map((kind) => `expression-${kind.replaceAll(' ', '-')}`),
  ];
  const found = cases('valid').map(({ name }) => name);
  assert.deepEqual(found.filter((name) => /^(statement|expression)-/.test(name)).sort(), needed.sort());
});

for (const one of cases('valid')) {
  test(one.name, async () => {
    const source = readFileSync(path.join(one.folder, 'input.wf'));
    const compiled = compile(source, { file: 'input.wf', files: workflowFiles('input.wf', one.folder) });
    const warnings = renderText(compiled.diagnostics, { colour: false });
    assert.ok(!compiled.hasErrors, warnings);
    const text = decode(source, []);
    assertGolden(one, 'tokens.txt', showTokens(layout(text).tokens, text));
    assertGolden(one, 'tree.txt', showTree(compiled.workflow));
    assertGolden(one, 'warnings.txt', warnings === '' ? undefined : `${warnings}\n`);
    const { code, info } = compiled.emitted;
    parseJavaScript(code, { ecmaVersion: 2022, sourceType: 'module' });
    // A new version of wf alone changes no golden file.
    assertGolden(one, 'module.mjs', code.replace(`"compiler":"${info.compiler}"`, '"compiler":"0.0.0"'));
    assertGolden(one, 'outcome.json', outcomeText(await runFixture(one, code)));
  });
}
