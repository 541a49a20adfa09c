// Suggestions can be taken literally: written in place of the words at fault, they leave a line that the parser can read.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import type { Diagnostic, LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { type Mistakes, withWorkingFixes } from '../../src/compiler/diagnostics/working-fixes.js';
import { runToEnd } from '../../src/compiler/in-turns.js';
import { someOf } from '../root.js';
import { cases } from './fixtures.js';

/** Codes of words that don't fit. In place of a text, suggestions have no quotes; a name that no line sets may remain. */
const MISFIT = /^WF(?:00\d|01\d|04[01]|05[0678])$/;

/** Lines with a second mistake, which the suggestion leaves. */
const withSecondMistake: readonly string[] = ['if request.total above 100 and request.total between 1 and 5:'];

const errorsOf = (text: string, offersFixes: boolean): LocatedDiagnostic[] =>
  checkFile(text, 'input.wf', { offersFixes }).diagnostics.filter(({ severity }) => severity === 'error');

/** What a message offers in place of the words: its suggestion, or the line after "Write:". */
const offered = ({ suggestion, hint }: LocatedDiagnostic): string | undefined =>
  suggestion ?? /^Write:\n {4}([^\n]+)/.exec(hint ?? '')?.[1];

const firstWords = (line: string): string => line.trim().split(/\s+/, 2).join(' ');

/** The whole line as a hint shows it: in its last line, with the same first words. */
function wholeLine({ hint, sourceLine }: LocatedDiagnostic): string | undefined {
  const shown = /:\n {4}([^\n]+)$/.exec(hint ?? '')?.[1];
  return shown !== undefined && firstWords(shown) === firstWords(sourceLine ?? '') ? shown : undefined;
}

/** The line after the suggestion is taken. */
function corrected(error: LocatedDiagnostic, lines: readonly string[]): string {
  const [written, instead] = [lines[error.line - 1] ?? '', offered(error)];
  if (instead === undefined) {
    const whole = wholeLine(error) ?? '';
    // What is wrong may be the indentation.
    return whole.startsWith(' ') ? whole : written.replace(/\S.*/, () => whole);
  }
  return written.slice(0, error.column - 1) + instead + written.slice(error.column - 1 + error.length);
}

for (const { name, folder } of someOf(cases('invalid'))) {
  const file = path.join(folder, 'input.wf');
  // A fixture has no other code than that of its name (`invalid.test.ts`).
  if (!MISFIT.test(name.slice(0, 5)) || !existsSync(file)) continue;
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const wrong = errorsOf(text, true).filter(
    (error) =>
      MISFIT.test(error.code) &&
      (offered(error) ?? wholeLine(error)) !== undefined &&
      !withSecondMistake.includes(error.sourceLine?.trim() ?? ''),
  );
  if (wrong.length === 0) continue;
  test(name, () => {
    for (const error of wrong.slice(0, 30)) {
      const line = corrected(error, lines);
      const left = errorsOf(lines.map((other, index) => (index === error.line - 1 ? line : other)).join('\n'), false).find(
        (other) => other.line === error.line && MISFIT.test(other.code),
      );
      assert.equal(left, undefined, `${error.sourceLine} → ${line}: ${left?.message}`);
    }
  });
}

test('a choice that is misspelt is told where no answer may have been saved, too', () => {
  const text = `services:\n    Boss is a person\n\nworkflow:\n    trigger: t\n    ask Boss to decide\n        choose from "approve", "decline"\n        within 2 days\n        save the result as decision\n        on failure:\n            log "nobody"\n    if decision is "approved":\n        log "go"\n`;
  const found = checkFile(text, 'input.wf').diagnostics.filter(({ line }) => line === 12);
  assert.deepEqual(
    found.map(({ code, suggestion }) => [code, suggestion]),
    [
      ['WF101', undefined],
      ['WF116', 'approve'],
    ],
  );
});

// A fix is shown only if the file has one mistake fewer with it, however many fixes a file offers.

const head = 'workflow:\n    trigger: when an order is placed\n';
const errorsIn = (body: string): readonly Diagnostic[] =>
  checkFile(`${head}${body}`, 'case.wf').diagnostics.filter(({ severity }) => severity === 'error');

test('a fix that works is shown', () => {
  assert.equal(errorsIn('    set total to 5\n    log totl\n')[0]?.suggestion, 'total');
  assert.match(
    errorsIn('    set total to 1\n    if total is one of (1, 2):\n        log "x"\n')[0]?.suggestion ?? '',
    /\[1, 2\]/,
  );
});

test('a fix that only leads to another mistake is not shown, and the rest of its message is', () => {
  const [error] = errorsIn('    for all rows:\n        log "x"\n');
  assert.equal(error?.code, 'WF040');
  assert.equal(error?.suggestion, undefined);
});

test('fixes of one file are judged one by one', () => {
  const found = errorsIn('    set total to 5\n    log totl\n    for all rows:\n        log "x"\n    log totall\n');
  assert.deepEqual(
    found.map(({ suggestion }) => suggestion),
    ['total', undefined, 'total'],
  );
});

test('a fix that leaves its own line wrong is none, even if it hides what is wrong below', () => {
  const found = errorsIn(
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
  const errorsOn = (line: string): readonly Diagnostic[] => (line === 'ab' ? fixes.slice(0, 1) : []);
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
  const shown = runToEnd(withWorkingFixes(text, fixes, language));
  assert.ok(checked <= 300_000, String(checked));
  assert.ok(shown.every(({ suggestion }) => suggestion !== 'no'));
  assert.equal(
    runToEnd(withWorkingFixes('ab\n'.repeat(400_000), fixes, { ...language, count: () => assert.fail('checked') })).length,
    fixes.length,
  );
  checked = 0;
  const without = runToEnd(withWorkingFixes(text, fixes, { ...language, offersFixes: false }));
  assert.ok(without.every(({ suggestion }) => suggestion === undefined));
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
  for (const { message, hint } of errorsIn(lines.map((line) => `    ${line}\n`).join('')))
    assert.doesNotMatch(`${message}\n${hint ?? ''}`, /set total|wait 5 seconds|if total|using GitHub|the total is/);
  assert.equal(errorsIn('    set amount request.price times 2\n')[0]?.suggestion, 'set amount to request.price times 2');
});
