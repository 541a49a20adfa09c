// What is listed in more than one place agrees: the words of the language, the forms of its statements, the names of the runtime.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as runtime from '../../runtime/index.js';
import { languageWords, wordCharacter, wordOf } from '../../src/compiler/1-layout/alphabet.js';
import { layout } from '../../src/compiler/1-layout/layout.js';
import { foreignWords, fullKeyword, optionForms, settingForms, statementForms } from '../../src/compiler/2-parse/forms.js';
import { matchShape, opens } from '../../src/compiler/2-parse/match-line.js';
import { runtimeNames } from '../../src/compiler/4-emit/runtime-names.js';
import { root } from '../root.js';

const words = new Set(languageWords);

test('every word has a character of its own, and the way back', () => {
  assert.equal(words.size, languageWords.length);
  for (const word of words) assert.equal(wordOf(wordCharacter(word) ?? ''), word);
});

test('the forms of hints are named after words of the language, and are right', () => {
  for (const word of [...Object.keys(statementForms), ...Object.keys(optionForms), ...Object.keys(settingForms)])
    assert.ok(words.has(word), word);
  for (const [first, form] of Object.entries(statementForms)) assert.equal(form.split(/[ :]/, 1)[0], first);
  for (const [foreign, word] of Object.entries(foreignWords)) {
    assert.ok(word in statementForms, word);
    assert.ok(!(foreign in statementForms), `${foreign} is a statement itself`);
    assert.ok(
      fullKeyword(word)
        .split(' ')
        .every((part) => words.has(part)),
    );
  }
});

test('every form that a hint shows can be read where it belongs', () => {
  const shown = Object.entries(statementForms).filter(([word]) => word !== 'trigger');
  for (const [, form] of shown) {
    const [line] = layout(form.endsWith(':') ? `${form}\n    log 1\n` : form).lines;
    assert.ok(line !== undefined && matchShape('statementLine', line.shape + opens(line.children)).matched, form);
  }
});

test('the reference lists every word of the grammar, and no other', () => {
  const page = readFileSync(path.join(root, 'docs', 'language.md'), 'utf8');
  const [, section = ''] = page.split('## Words of the language\n');
  const [table = ''] = section.trim().split('\n\n', 1);
  // The first column holds the words; the second one says where they stand.
  const listed = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
  assert.deepEqual([...new Set(listed)].sort(), [...words].sort());
});

test('the compiler knows exactly what the runtime gives to emitted modules', () => {
  assert.deepEqual([...runtimeNames].sort(), Object.keys(runtime).sort());
});

interface Translation {
  readonly words: readonly string[];
  readonly ohm: string;
}

/** Part of the build, and so no module of TypeScript. */
const build: { translate(source: string): Translation; rulesModule(source: string): string } = await import(
  pathToFileURL(path.join(root, 'grammar', 'compile.mjs')).href
);

test('a phrase of the grammar becomes one terminal with a character for each of its words', () => {
  const { words: found, ohm } = build.translate('G { a = "is at least" | "is" <word>\n  b = "<name>" ":" // "a comment"\n }');
  assert.deepEqual(found, ['is', 'at', 'least']);
  assert.match(ohm, /a = "\\u\{e000\}\\u\{e001\}\\u\{e002\}" \| "\\u\{e000\}"/);
  assert.match(ohm, /b = "n" ":"/);
  assert.doesNotMatch(ohm, /comment/);
});

test('any word of the language is a range of characters', () => {
  assert.match(build.translate('G { a = "<word>" }').ohm, /a = "\\u\{e000\}"\.\."\\u\{e0ff\}"/);
});

test('a class of tokens that nobody knows, and too many words, stop the build', () => {
  assert.throws(() => build.translate('G { a = "<nmae>" }'), /unknown class of tokens <nmae>/);
  const many = Array.from({ length: 300 }, (_, index) => `"word${String.fromCharCode(97 + (index % 26))}${index}"`).join(' ');
  assert.throws(() => build.translate(`G { a = ${many} }`), /alphabet is full/);
});

test('what the matcher does not know stops the build', () => {
  assert.match(build.rulesModule('G { a = "b"+ ~"c" }'), /\["repeated",\["terminal",.*\["not",/);
  assert.throws(() => build.rulesModule('G { a = &"b" any }'), /which the matcher does not know/);
});
