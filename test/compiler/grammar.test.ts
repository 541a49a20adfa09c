// The parser matches every line with Ohm: the recipe of the build accepts what `wf.ohm` does, and each accepted line can be read.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import * as ohm from 'ohm-js';
import { languageWords, tokenClass, wordCharacter } from '../../src/compiler/1-layout/alphabet.js';
import { layout } from '../../src/compiler/1-layout/layout.js';
import type { Line } from '../../src/compiler/1-layout/line.js';
import type { LineRules } from '../../src/compiler/2-parse/line-node.js';
import { fits, matchShape, opens, ruleFor } from '../../src/compiler/2-parse/match-line.js';
import { readLines } from '../../src/compiler/2-parse/read-lines.js';
import type { Source } from '../../src/compiler/2-parse/source.js';
import type { Expression } from '../../src/compiler/2-parse/tree.js';
import { fixture, root, runs } from '../root.js';
import { corpus } from './corpus.js';

const rules = Object.keys({
  sectionLine: 0,
  configLine: 0,
  inputLine: 0,
  serviceLine: 0,
  serviceOptionLine: 0,
  headerLine: 0,
  callHeaderLine: 0,
  statementLine: 0,
  callOptionLine: 0,
  messageOptionLine: 0,
  failureLine: 0,
  tableLine: 0,
  headingLine: 0,
  cellLine: 0,
  lookUpOptionLine: 0,
  answerLine: 0,
} satisfies Record<keyof LineRules, 0>) as (keyof LineRules)[]; // the keys of just this record

/** Part of the build rather than a TypeScript module. */
const { translate }: { translate(source: string): { readonly ohm: string } } = await import(
  pathToFileURL(path.join(root, 'grammar', 'compile.mjs')).href
);

const written = ohm.grammar(translate(readFileSync(path.join(root, 'grammar', 'wf.ohm'), 'utf8')).ohm);

/** Matches a shape with the parser and with the grammar as it is written. Returns whether it matched. */
function compare(rule: keyof LineRules, shape: string): boolean {
  const { matched } = matchShape(rule, shape);
  assert.equal(matched, written.match(shape, ruleFor(rule, shape)).succeeded(), `${rule} ${JSON.stringify(shape)}`);
  assert.equal(fits(rule, shape), matched);
  return matched;
}

const linesOf = (lines: readonly Line[]): Line[] => lines.flatMap((line) => [line, ...linesOf(line.children)]);

function shapesOf(texts: readonly string[]): string[] {
  const all = texts.flatMap((text) => linesOf(readLines(layout(text.replace(/^\uFEFF/, '')).tokens)));
  return [...new Set(all.filter((line) => line.fault === undefined).map((line) => line.shape + opens(line.children)))];
}

const invalidTexts = (): string[] =>
  readdirSync(fixture('invalid'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.wf'))
    .map((name) => readFileSync(path.join(fixture('invalid'), name), 'utf8'));

const shapes = shapesOf([...corpus().map(({ text }) => text), ...invalidTexts()]);

test('every line of the project, with every rule', () => {
  let matched = 0;
  for (const shape of shapes) for (const rule of rules) matched += Number(compare(rule, shape));
  assert.ok(matched > 200, `${matched} lines matched`);
});

const word = fc.constantFrom(...languageWords.map((text) => wordCharacter(text) ?? ''));
const token = fc.oneof(
  { arbitrary: word, weight: 3 },
  { arbitrary: fc.constantFrom(...Object.values(tokenClass)), weight: 2 },
  { arbitrary: fc.constantFrom(...'()[],:'), weight: 1 },
);

test('lines with a token added, removed or replaced', () => {
  const changed = fc
    .tuple(fc.constantFrom(...shapes), fc.nat(), fc.nat({ max: 2 }), fc.array(token, { maxLength: 2 }), fc.constantFrom(...rules))
    .map(([shape, at, less, more, rule]) => {
      const from = at % (shape.length + 1);
      return { rule, shape: shape.slice(0, from) + more.join('') + shape.slice(from + less) };
    });
  let matched = 0;
  fc.assert(
    fc.property(changed, ({ rule, shape }) => {
      matched += Number(compare(rule, shape));
    }),
    { numRuns: 1_500 }, // with fewer, none may match
  );
  assert.ok(matched > 0);
});

/** Values as the grammar builds them, much richer than those in files. */
const { value } = fc.letrec<{ value: string; operand: string; sum: string; comparison: string; conjunction: string }>((tie) => {
  const characters = (words: string): string =>
    words
      .split(' ')
      .map((text) => wordCharacter(text) ?? '')
      .join('');
  const one = (...words: string[]) => fc.constantFrom(...words.map(characters));
  const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
  const brackets = { depthSize: 'small', withCrossShrink: true } as const;
  return {
    operand: fc.oneof(
      brackets,
      fc.constantFrom(tokenClass.name, tokenClass.path, tokenClass.number, tokenClass.text),
      joined(one('count of', 'sum of', 'trimmed', 'number of'), tie('operand')),
      tie('value').map((inner) => `(${inner})`),
      fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'items' }).map((items) => `[${items.join(',')}]`),
      one('true', 'false', 'empty', 'trimmed', 'places'),
    ),
    sum: fc.oneof(
      brackets,
      tie('operand'),
      joined(tie('operand'), one('plus', 'minus', 'times', 'divided by'), tie('operand')),
      joined(tie('operand'), one('rounded to'), tie('operand'), one('places', 'place')),
    ),
    comparison: fc.oneof(
      brackets,
      tie('sum'),
      joined(tie('sum'), one('is', 'is not', 'is above', 'is one of', 'contains', 'starts with'), tie('sum')),
      joined(tie('sum'), one('is empty', 'does not exist')),
      joined(tie('sum'), one('is between'), tie('sum'), one('and'), tie('sum')),
    ),
    conjunction: fc.oneof(
      brackets,
      tie('comparison'),
      joined(one('not'), tie('comparison')),
      joined(tie('comparison'), one('and', 'or'), tie('comparison')),
    ),
    value: tie('conjunction'),
  };
});

test('values of every form', () => {
  let matched = 0;
  fc.assert(
    fc.property(value, (text) => {
      matched += Number(compare('statementLine', `${wordCharacter('set')}n${wordCharacter('to')}${text};`));
      compare('statementLine', `${wordCharacter('complete')}${wordCharacter('with')}n${text}${wordCharacter('and')}n${text};`);
    }),
    { numRuns: runs(300) },
  );
  assert.ok(matched > runs(150), `${matched} of ${runs(300)} values matched`);
});

const sourceOf = (text: string): Source => {
  const [line] = readLines(layout(text).tokens);
  assert.ok(line);
  return { text, line, report: (diagnostic) => assert.fail(diagnostic.message) };
};

test('reads a line that is nested too deeply to match at once', () => {
  const source = sourceOf(`log ${'('.repeat(150)}12 plus count of [[7, "b"]]${')'.repeat(150)}`);
  const match = matchShape('statementLine', `${source.line.shape};`);
  assert.ok(match.matched);
  let { value } = match.read(source) as { value: Expression }; // the rule is `log`
  for (let level = 0; level < 150; level++) {
    assert.equal(source.text.charAt(value.span.start), '(');
    assert.equal(value.kind, 'group');
    if (value.kind === 'group') value = value.inner;
  }
  assert.equal(source.text.slice(value.span.start, value.span.end), '12 plus count of [[7, "b"]]');
});

test('says what would have fitted where a deeply nested line stops matching', () => {
  const { line } = sourceOf(`log ${'('.repeat(90)}1 plus${')'.repeat(90)}`);
  const match = matchShape('statementLine', `${line.shape};`);
  assert.ok(!match.matched);
  assert.equal(match.token, 93);
  assert.ok(match.expected.includes('a number'), match.expected.join());
});
