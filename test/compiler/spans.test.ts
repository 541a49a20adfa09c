// Every span of the tree covers exactly the text that it names, and the tree depends only on the words of the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Expression, Workflow } from '../../src/compiler/2-parse/tree.js';
import { checkFile } from '../../src/compiler/compile.js';
import type { Span } from '../../src/compiler/diagnostics/diagnostic.js';
import { fieldsOfPath, writtenField } from '../../src/compiler/vocabulary/field-names.js';
import { runs, seed } from '../root.js';
import { corpusAlone } from './corpus.js';
import { isCertainFailure } from './programs/compile-anyway.js';
import { programFile } from './programs/files.js';
import { Generator } from './programs/generate.js';
import { printWorkflow } from './programs/print.js';
import { tapes } from './programs/property.js';
import { Tape } from './programs/tape.js';

const parse = (text: string): Workflow => {
  const { workflow, diagnostics } = checkFile(text, 'spans.wf');
  assert.deepEqual(
    diagnostics.filter((diagnostic) => diagnostic.severity === 'error' && !isCertainFailure(diagnostic)),
    [],
  );
  return workflow;
};

interface Found {
  readonly kind?: string;
  readonly text?: string;
  readonly span: Span;
  readonly [key: string]: unknown;
}

/** Every part of a tree that has a span. */
function* nodes(tree: unknown): Iterable<Found> {
  if (typeof tree !== 'object' || tree === null) return;
  if ('span' in tree) yield tree as Found; // checked above
  for (const part of Object.values(tree)) yield* nodes(part);
}

const bare = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value: unknown) => (/^line$|span$/i.test(key) ? undefined : value)));

const expressionKinds = new Set([
  'reference',
  'text',
  'number',
  'constant',
  'list',
  'group',
  'builtin',
  'shift',
  'difference',
  'arranged',
  'iteration',
  'record',
  'field',
  'arithmetic',
  'comparison',
  'between',
  'state',
  'logic',
  'not',
]);

function assertSpans(text: string): void {
  const workflow = parse(text);
  for (const node of nodes(workflow)) {
    const cut = text.slice(node.span.start, node.span.end);
    assert.notEqual(cut, '');
    assert.equal(cut, cut.trim());
    assert.ok(!cut.includes('\n'));
    if (node.kind === undefined && node.text !== undefined)
      assert.ok([node.text, writtenField(String(node.text)), `"${node.text}"`].includes(cut.split(/\s+/).join(' ')));
    if (node.kind === 'reference') assert.deepEqual(fieldsOfPath(cut), [node.root, ...(node.fields as string[])]); // by its kind
    if (node.kind === 'number') assert.equal(cut, node.written);
    // `otherwise no` under `inputs:` is `false`.
    if (node.kind === 'constant')
      assert.ok([node.value === null ? 'empty' : String(node.value), node.value === true ? 'yes' : 'no'].includes(cut), cut);
    if (node.kind === 'group') assert.match(cut, /^\(.*\)$/s);
    if (node.kind === 'list') assert.match(cut, /^\[.*\]$/s);
    // Some have operands between their words, as in `first 3 of rows`. The first word is always there.
    if (node.kind === 'builtin') assert.ok(cut.includes(String(node.name).split(' ')[0] ?? ''));
    if ('line' in node) assert.equal(text.slice(0, node.span.start).split('\n').length, node.line);
  }
}

/** Each expression, cut out and parsed alone, is the same. */
function assertAlone(text: string): void {
  const alone: string[] = [];
  const expected: unknown[] = [];
  for (const node of nodes(parse(text).body)) {
    const cut = text.slice(node.span.start, node.span.end);
    // The instruction of an `ask` may be free text, and a text of several lines has no quotes.
    if (!expressionKinds.has(node.kind ?? '') || (node.kind === 'text' && !/^".*"$/.test(cut))) continue;
    alone.push(cut);
    expected.push(bare(node));
  }
  const { workflow } = checkFile(
    `workflow:\n    trigger: t\n${alone.map((cut) => `    set alone to ${cut}\n`).join('')}`,
    'alone.wf',
  );
  const values: (Expression | undefined)[] = workflow.body.map((statement) =>
    statement.kind === 'set' ? statement.value : undefined,
  );
  assert.deepEqual(bare(values), expected);
}

/** One of them has a byte order mark and Windows line ends. */
const samples = corpusAlone().map(({ name, text }) => ({ name, text: text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n') }));
const programs = tapes.map((tape) =>
  printWorkflow(new Generator(new Tape(tape), { isAlone: true, hasInputs: false }).program(), programFile),
);

for (const { name, text } of samples) {
  test(name, () => {
    assertSpans(text);
    assertAlone(text);
  });
}

test('random programs', () => {
  fc.assert(
    fc.property(programs, (text) => {
      assertSpans(text);
      assertAlone(text);
    }),
    { seed: seed(5), numRuns: runs(100) },
  );
});

/** In text of several lines, spaces and `#` belong to the text. */
const isWithoutLongText = (text: string): boolean => !/\bto(?: text)?:$/m.test(text);
const plainPrograms = programs.filter(isWithoutLongText);
const plainSamples = samples.map(({ text }) => text).filter(isWithoutLongText);

test('line ends, a byte order mark, blank lines, comments and spaces make no difference', () => {
  fc.assert(
    fc.property(fc.oneof(plainPrograms, fc.constantFrom(...plainSamples)), (text) => {
      const tree = bare(parse(text));
      const bytes = new TextEncoder().encode(`\ufeff${text}`);
      assert.deepEqual(bare(checkFile(bytes, 'mark.wf').workflow), tree);
      assert.deepEqual(bare(checkFile(`\ufeff${text}`, 'mark.wf').workflow), tree);
      assert.deepEqual(bare(parse(text.replaceAll('\n', '\r\n'))), tree);
      assert.deepEqual(bare(parse(text.trimEnd())), tree);
      assert.deepEqual(bare(parse(text.replaceAll('\n', '\n\n  \n# a comment: "\n'))), tree);
      assert.deepEqual(bare(parse(text.replaceAll('\n', '   # a comment: "\n'))), tree);
      assert.deepEqual(bare(parse(text.replaceAll('\n', ' \t\n'))), tree);
    }),
    { seed: seed(6), numRuns: runs(60) },
  );
});
