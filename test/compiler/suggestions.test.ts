// Suggestions can be taken literally: written in place of the words at fault, they leave a line that the parser can read.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import type { LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
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
