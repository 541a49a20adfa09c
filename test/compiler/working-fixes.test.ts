// A fix is shown only if the file has one mistake fewer with it, however many fixes a file offers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import type { Diagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { type Mistakes, withWorkingFixes } from '../../src/compiler/diagnostics/working-fixes.js';

const head = 'workflow:\n    trigger: when an order is placed\n';
const errorsOf = (body: string): readonly Diagnostic[] =>
  checkFile(`${head}${body}`, 'case.wf').diagnostics.filter(({ severity }) => severity === 'error');

test('a fix that works is shown', () => {
  assert.equal(errorsOf('    set total to 5\n    log totl\n')[0]?.suggestion, 'total');
  assert.match(
    errorsOf('    set total to 1\n    if total is one of (1, 2):\n        log "x"\n')[0]?.suggestion ?? '',
    /\[1, 2\]/,
  );
});

test('a fix that only leads to another mistake is not shown, and the rest of its message is', () => {
  const [error] = errorsOf('    for all rows:\n        log "x"\n');
  assert.equal(error?.code, 'WF040');
  assert.equal(error?.suggestion, undefined);
});

test('fixes of one file are judged one by one', () => {
  const found = errorsOf('    set total to 5\n    log totl\n    for all rows:\n        log "x"\n    log totall\n');
  assert.deepEqual(
    found.map(({ suggestion }) => suggestion),
    ['total', undefined, 'total'],
  );
});

test('a fix that leaves its own line wrong is none, even if it hides what is wrong below', () => {
  const found = errorsOf(
    '    for each name and value in [1]:\n        log name\n    set rows to []\n    set few to rows is above 20\n',
  );
  assert.deepEqual(
    found.map(({ hint = '' }) => hint.includes('is one of')),
    [false, false],
  );
});

test('the work is bounded by the length of the text', () => {
  const text = 'ab\n'.repeat(20_000);
  const fixes = Array.from({ length: 1_000 }, (_, index): Diagnostic => {
    const span = { start: 3 * index, end: 3 * index + 2 };
    return { code: 'WF040', severity: 'error', span, message: '.', suggestion: index % 2 === 0 ? 'ok' : 'no' };
  });
  let checked = 0;
  const errorsOn = (line: string): number => (line === 'ab' ? 1 : 0);
  const count = (current: string): Mistakes => {
    checked += current.length;
    return { errors: 1_000 - (current.match(/ok/g) ?? []).length, warnings: 0, errorsOn };
  };
  const language = {
    before: { errors: 1_000, warnings: 0, errorsOn },
    count,
    reword: () => [{ line: 'no', reason: undefined, isGuess: false }],
    isAbout: () => true,
    kindOf: () => undefined,
    offersFixes: true,
  };
  const shown = withWorkingFixes(text, fixes, language);
  assert.ok(checked <= 300_000, String(checked));
  assert.ok(shown.every(({ suggestion }) => suggestion !== 'no'));
  assert.equal(
    withWorkingFixes('ab\n'.repeat(400_000), fixes, { ...language, count: () => assert.fail('checked') }).length,
    fixes.length,
  );
  checked = 0;
  assert.ok(
    withWorkingFixes(text, fixes, { ...language, offersFixes: false }).every(({ suggestion }) => suggestion === undefined),
  );
  assert.equal(checked, 0);
});

test('hints use the names of the line, not those of another example', () => {
  const lines = [
    'set rest to request.a minus',
    'wait 7',
    'log request.name and',
    'fetch the orders Crm at "/orders"',
    'retry 3 times',
  ];
  for (const { message, hint } of errorsOf(lines.map((line) => `    ${line}\n`).join('')))
    assert.doesNotMatch(`${message}\n${hint ?? ''}`, /set total|wait 5 seconds|if total|using GitHub|the total is/);
  assert.equal(errorsOf('    set amount request.price times 2\n')[0]?.suggestion, 'set amount to request.price times 2');
});
