// Lists that occur in several places agree: the keywords, the forms of statements, the names of the runtime.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as runtime from '../../runtime/index.js';
import { languageWords, wordCharacter, wordOf } from '../../src/compiler/1-layout/alphabet.js';
import { layout } from '../../src/compiler/1-layout/layout.js';
import type { Line } from '../../src/compiler/1-layout/line.js';
import type { LineRules } from '../../src/compiler/2-parse/line-node.js';
import { matchShape, opens } from '../../src/compiler/2-parse/match-line.js';
import { readLines } from '../../src/compiler/2-parse/read-lines.js';
import { runtimeNames } from '../../src/compiler/4-emit/runtime-names.js';
import {
  callOptionTable,
  configExamples,
  sectionTable,
  statementWords,
  wordForForeign,
} from '../../src/compiler/vocabulary/line-table.js';
import { type StatementForm, statementTable } from '../../src/compiler/vocabulary/statement-table.js';
import { root } from '../root.js';

const words = new Set(languageWords);
const matches = (rule: keyof LineRules, line: Line): boolean => matchShape(rule, line.shape + opens(line.children)).matched;

test('every keyword has its own character, and back', () => {
  assert.equal(words.size, languageWords.length);
  for (const word of words) assert.equal(wordOf(wordCharacter(word) ?? ''), word);
});

const statements: readonly StatementForm[] = Object.values(statementTable);

test('the vocabulary consists of keywords', () => {
  for (const { keyword = '' } of statements)
    for (const word of keyword.split(' ').filter(Boolean)) assert.ok(words.has(word), word);
  for (const table of [sectionTable, callOptionTable, configExamples])
    for (const word of Object.keys(table).flatMap((key) => key.split(' '))) assert.ok(words.has(word), word);
});

test('every example starts with its keyword and parses in its place', () => {
  for (const { keyword = '', example, under } of statements) {
    assert.ok(example.startsWith(keyword), example);
    assert.ok(under === 'options' || example.endsWith(':') === (under !== 'nothing'), example);
    const [line] = readLines(layout(example.endsWith(':') ? `${example}\n    log 1\n` : example).tokens);
    assert.ok(line !== undefined && matches('statementLine', line), example);
  }
  for (const { example, hasBlock } of Object.values(callOptionTable)) {
    assert.equal(example.endsWith(':'), hasBlock, example);
    const [line] = readLines(layout(hasBlock ? `${example}\n    log 1\n` : example).tokens);
    assert.ok(line !== undefined && (matches('callOptionLine', line) || matches('failureLine', line)), example);
  }
});

test('a word from another language suggests one statement, and starts none itself', () => {
  const foreign = statements.flatMap((statement) => statement.foreign);
  assert.equal(new Set(foreign).size, foreign.length);
  for (const word of foreign) {
    assert.ok(!statementWords.includes(word), `${word} is a statement itself`);
    assert.ok(statementWords.includes(wordForForeign(word) ?? ''), word);
  }
});

test('the reference lists every keyword of the grammar, and no other', () => {
  const page = readFileSync(path.join(root, 'docs/language.md'), 'utf8');
  const [, section = ''] = page.split('## Words of the language\n');
  const [table = ''] = section.trim().split('\n\n', 1);
  // The first column holds the words, the second where they are used.
  const listed = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
  assert.deepEqual([...new Set(listed)].sort(), [...words].sort());
});

test('the reference shows an example of every statement', () => {
  const page = readFileSync(path.join(root, 'docs/language.md'), 'utf8');
  const lines = [...page.matchAll(/^```wf.*\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'));
  for (const { keyword } of statements)
    if (keyword !== undefined)
      assert.ok(
        lines.some((line) => line.trim().startsWith(keyword)),
        `${keyword} is in no example of docs/language.md`,
      );
});

test('the compiler knows exactly what the runtime exports to emitted modules', () => {
  assert.deepEqual([...runtimeNames].sort(), Object.keys(runtime).sort());
});

interface Translation {
  readonly words: readonly string[];
  readonly ohm: string;
}

/** Part of the build rather than a TypeScript module. */
const build: { translate(source: string): Translation } = await import(
  pathToFileURL(path.join(root, 'grammar', 'compile.mjs')).href
);

test('a phrase of the grammar becomes one terminal with a character per word', () => {
  const { words: found, ohm } = build.translate('G { a = "is at least" | "is" <word>\n  b = "<name>" ":" // "a comment"\n }');
  assert.deepEqual(found, ['is', 'at', 'least']);
  assert.match(ohm, /a = "\\u\{e000\}\\u\{e001\}\\u\{e002\}" \| "\\u\{e000\}"/);
  assert.match(ohm, /b = "n" ":"/);
  assert.doesNotMatch(ohm, /comment/);
});

test('any keyword is a range of characters', () => {
  assert.match(build.translate('G { a = "<word>" }').ohm, /a = "\\u\{e000\}"\.\."\\u\{e0ff\}"/);
});

test('an unknown token class, or too many keywords, stop the build', () => {
  assert.throws(() => build.translate('G { a = "<nmae>" }'), /unknown class of tokens <nmae>/);
  const many = Array.from({ length: 300 }, (_, index) => `"word${String.fromCharCode(97 + (index % 26))}${index}"`).join(' ');
  assert.throws(() => build.translate(`G { a = ${many} }`), /alphabet is full/);
});
