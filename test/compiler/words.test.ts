// What is listed in more than one place agrees: the words of the language, the names of the runtime, and the trees that are kept of lines.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as runtime from '../../runtime/index.js';
import { languageWords, wordCharacter, wordOf } from '../../src/compiler/1-layout/alphabet.js';
import { layout } from '../../src/compiler/1-layout/layout.js';
import type { Line } from '../../src/compiler/1-layout/line.js';
import { actions } from '../../src/compiler/2-parse/actions.js';
import { commonShapesOf } from '../../src/compiler/2-parse/common-shapes.js';
import { foreignWords, fullKeyword, optionForms, settingForms, statementForms } from '../../src/compiler/2-parse/forms.js';
import type { LineRules } from '../../src/compiler/2-parse/line-node.js';
import { matchForBuild, matchShape, opens } from '../../src/compiler/2-parse/match-line.js';
import { SyntaxNode } from '../../src/compiler/2-parse/syntax-node.js';
import { runtimeNames } from '../../src/compiler/4-emit/runtime-names.js';
import { root } from '../root.js';
import { corpus } from './corpus.js';

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
const build: { translate(source: string): Translation } = await import(
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

const texts = [...corpus().map(({ text }) => text), ...invalidTexts()].map((text) => text.replace(/^\uFEFF/, ''));
const kept = commonShapesOf(corpus().map(({ text }) => text));

function invalidTexts(): string[] {
  const folder = path.join(root, 'fixtures', 'invalid');
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.wf'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

const linesOf = (lines: readonly Line[]): Line[] => lines.flatMap((line) => [line, ...linesOf(line.children)]);

const rules = Object.keys({
  sectionLine: 0,
  configLine: 0,
  serviceLine: 0,
  serviceOptionLine: 0,
  headerLine: 0,
  statementLine: 0,
  callOptionLine: 0,
  failureLine: 0,
} satisfies Record<keyof LineRules, 0>) as (keyof LineRules)[]; // the keys of just this record

test('what is kept of a line is what matching it gives now', () => {
  let compared = 0;
  for (const text of texts) {
    for (const line of linesOf(layout(text).lines)) {
      if (line.fault !== undefined) continue;
      const shape = line.shape + opens(line.children);
      for (const rule of rules) {
        const key = `${rule} ${shape}`;
        const tree = kept[key];
        const now = matchForBuild(rule, shape);
        assert.equal(matchShape(rule, shape).matched, now !== undefined);
        if (tree === undefined) continue;
        compared++;
        assert.deepEqual(now, [key, tree]);
        // Read from what was kept, and from a match: the same statement, with the same spans and the same complaints.
        const match = matchShape(rule, shape);
        assert.ok(match.matched);
        const told: unknown[] = [];
        const source = { text, line, report: (diagnostic: unknown) => void told.push(diagnostic) };
        const fromKept = new SyntaxNode(JSON.parse(tree), shape, actions).read()(source);
        const half = told.splice(0);
        assert.deepEqual(match.read(source), fromKept);
        assert.deepEqual(told, half);
      }
    }
  }
  assert.ok(compared > 500, `${compared} lines were compared`);
});

test('every line of the workflows of the project is kept', () => {
  for (const { name, text } of corpus()) {
    const missing: string[] = [];
    const clean = text.replace(/^\uFEFF/, '');
    for (const line of linesOf(layout(clean).lines)) {
      const shape = line.shape + opens(line.children);
      if (!rules.some((rule) => Object.hasOwn(kept, `${rule} ${shape}`))) missing.push(`${name}:${line.number}`);
    }
    assert.deepEqual(missing, []);
  }
});

test('every pattern of common lines is one that can be read', () => {
  assert.ok(Object.keys(kept).length > 500);
  for (const [key, tree] of Object.entries(kept)) {
    assert.ok(
      rules.some((rule) => key.startsWith(`${rule} `)),
      key,
    );
    assert.ok(Array.isArray(JSON.parse(tree)));
  }
});
