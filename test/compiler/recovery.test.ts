// One mistake, one message: each single mistake in a valid workflow is reported once, on its own line. The files in `fixtures/recovery`
// start with what is wrong with them, and with their errors.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { languageWords } from '../../src/compiler/1-layout/alphabet.js';
import { checkFile } from '../../src/compiler/compile.js';
import type { LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { fixture, runs } from '../root.js';
import { corpus } from './corpus.js';

// Typing mistakes in a valid workflow, each of which changes one line.

interface Mutation {
  readonly slip: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

const words = new Set(languageWords.filter((word) => word.length > 2));

/** Every mistake of the kinds below that is possible in `text`. */
function* mutations(text: string): Iterable<Mutation> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    for (const [slip, changed] of slips(line)) {
      if (changed !== line)
        yield { slip, line: index + 1, text: [...lines.slice(0, index), changed, ...lines.slice(index + 1)].join('\n') };
    }
  }
}

function* slips(line: string): Iterable<readonly [slip: string, changed: string]> {
  const content = line.trimStart();
  if (content === '' || content.startsWith('#') || content.startsWith('trigger:') || content.startsWith('ask ')) return;
  const indent = line.slice(0, line.length - content.length);
  if (line.endsWith(':')) yield ['colon left out', line.slice(0, -1)];
  else yield ['colon too many', `${line}:`];
  for (const { index } of line.matchAll(/"/g)) yield ['quote left out', line.slice(0, index) + line.slice(index + 1)];
  for (const { index } of line.matchAll(/[()[\]{}]/g)) yield ['bracket left out', line.slice(0, index) + line.slice(index + 1)];
  yield ['a space too many', ` ${line}`];
  if (indent !== '') yield ['a space too few', line.slice(1)];
  yield ['a level too deep', `    ${line}`];
  if (indent !== '') yield ['a tab', indent.replaceAll('    ', '\t') + content];
  yield ['first letter in capitals', indent + content.charAt(0).toUpperCase() + content.slice(1)];
  for (const { 0: word, index } of outsideQuotes(line).matchAll(/[A-Za-z-]+/g)) {
    const before = line.slice(0, index);
    const after = line.slice(index + word.length);
    yield ['word left out', before + after.trimStart()];
    yield ['word twice', `${before}${word} ${word}${after}`];
    if (!words.has(word)) continue;
    for (let at = 0; at + 1 < word.length; at++)
      yield [
        'letters swapped',
        `${before}${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}${after}`,
      ];
    for (let at = 0; at < word.length; at++) yield ['letter left out', before + word.slice(0, at) + word.slice(at + 1) + after];
    yield ['word in capitals', before + word.toUpperCase() + after];
    yield ['words run together', before + word + after.trimStart()];
  }
}

/** The line with quoted text and comments replaced by spaces, so that columns don't change. */
const outsideQuotes = (line: string): string =>
  line.replace(/"(?:\\.|[^"\\])*"|(?<=^|\s)#.*/g, (quoted) => ' '.repeat(quoted.length));

const errorsOf = (text: string): LocatedDiagnostic[] =>
  checkFile(text, 'slip.wf', { offersFixes: false }).diagnostics.filter(({ severity }) => severity === 'error');

/** Mistakes of each kind to check; there are 40,000 in total. `npm run fuzz` sets a seed and checks them all. */
const SAMPLE = fc.readConfigureGlobal()?.seed === undefined ? runs(400) : Number.POSITIVE_INFINITY;

/** Without the ones that need other files. */
const texts = corpus().flatMap(({ text }) => (errorsOf(text).length === 0 ? [text] : []));

const made = new Map<string, number>();
for (const text of texts) for (const { slip } of mutations(text)) made.set(slip, (made.get(slip) ?? 0) + 1);

/** By the mistake itself, so that another fixture changes the sample of the others hardly at all. */
const isSampled = (slip: string, changed: string): boolean => {
  const digest = createHash('md5').update(`${slip}\n${changed}`).digest().readUInt32BE();
  return digest / 2 ** 32 < SAMPLE / (made.get(slip) ?? 1);
};

const found = new Map<string, { text: string; line: number; errors: LocatedDiagnostic[] }[]>();
for (const text of texts) {
  for (const { slip, line, text: changed } of mutations(text)) {
    if (!isSampled(slip, changed)) continue;
    const errors = errorsOf(changed);
    // A mistake that creates another valid workflow, such as a longer name, can't be detected.
    if (errors.length > 0) found.set(slip, [...(found.get(slip) ?? []), { text: changed, line, errors }]);
  }
}

interface Tolerated {
  readonly several: number;
  /** One message on another line: for example, about a variable that is misspelt where it is set. */
  readonly elsewhere: number;
}

/** Maximum mistakes per 1,000 that may cause several messages, or one on another line. None, for all other kinds. */
const tolerated: Readonly<Record<string, Tolerated>> = {
  // The lines after it may belong to the line, or to the block around it.
  'a level too deep': { several: 15, elsewhere: 8 },
  'letter left out': { several: 1, elsewhere: 17 },
  'letters swapped': { several: 1, elsewhere: 17 },
  'word in capitals': { several: 1, elsewhere: 17 },
  'bracket left out': { several: 3, elsewhere: 0 },
  'word left out': { several: 2, elsewhere: 7 },
  'words run together': { several: 1, elsewhere: 0 },
  'word twice': { several: 1, elsewhere: 2 },
};

/** The maximum in a sample of this size, which may exceed it by chance: by three standard deviations. */
function mostIn(perThousand: number, size: number): number {
  const expected = (perThousand * size) / 1_000;
  return SAMPLE === Number.POSITIVE_INFINITY ? expected : expected + 3 * Math.sqrt(expected);
}

/** Whether a line is in the section `inputs:`. */
function isInput(text: string, line: number): boolean {
  const head = text
    .split('\n')
    .slice(0, line)
    .findLast((one) => /^\w/.test(one));
  return head === 'inputs:';
}

for (const [slip, cases] of found) {
  test(slip, () => {
    assert.ok(cases.length >= Math.min(SAMPLE, 400) / 4, `only ${cases.length} slips`);
    const told = cases.map(({ text, line, errors }) => ({
      text,
      line,
      // A field that an input no longer declares is missing on every line that reads it.
      errors: isInput(text, line) ? errors.filter((error) => error.code !== 'WF097' || error.line === line) : errors,
    }));
    const several = told.filter(({ errors }) => errors.length > 1);
    const elsewhere = told.filter(({ line, errors: [first, ...more] }) => more.length === 0 && first && first.line !== line);
    for (const [what, wrong] of Object.entries({ several, elsewhere })) {
      assert.ok(
        wrong.length <= mostIn(tolerated[slip]?.[what as keyof Tolerated] ?? 0, cases.length),
        `${what}: ${wrong.length} of ${cases.length}, the first:\n${wrong[0]?.text}\n${JSON.stringify(wrong[0]?.errors, undefined, 2)}`,
      );
    }
  });
}

test('a call never swallows a statement', () => {
  for (const statement of [
    'set x to 1',
    'log x',
    'if x is 1:',
    'for each x in y:',
    'wait 1 seconds',
    'complete',
    'reject with x',
    'skip',
    'add 1 to x',
    'step A:',
  ]) {
    for (const slip of [
      statement.replace(/^(\w)(\w)/, '$2$1'),
      statement.slice(1),
      statement.toUpperCase(),
      `${statement} now`,
      `please ${statement}`,
    ]) {
      const { workflow, diagnostics } = checkFile(`workflow:\n    trigger: t\n    ${slip}\n        log 1\n`, 'slip.wf');
      assert.ok(
        workflow.body.every(({ kind }) => kind !== 'call'),
        slip,
      );
      assert.ok(
        diagnostics.some(({ severity, line }) => severity === 'error' && line === 3),
        slip,
      );
    }
  }
});

const NAMED = /^# (.+)\.\n# Errors: (.+)\n/;

for (const name of readdirSync(fixture('recovery')).sort()) {
  const text = readFileSync(fixture('recovery', name), 'utf8');
  const [, title, expected] = NAMED.exec(text) ?? [];
  test(`${title} (${name})`, () => {
    const errors = errorsOf(text).map(({ code, line }) => `${code} in line ${line}`);
    assert.equal(errors.join(', ') || 'none', expected);
  });
}
