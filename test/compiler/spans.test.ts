// Spans: what a node of the tree says about its place is the text that it was read from; line ends and a byte order mark change no tree.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { layout } from '../../src/compiler/1-layout/layout.js';
import { parse } from '../../src/compiler/2-parse/parse.js';
import { compile } from '../../src/compiler/compile.js';
import type { Diagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { root } from '../root.js';

const files = ['fixtures/valid', 'fixtures/examples', 'bench/programs']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(root, folder, String(name))),
  )
  .filter((file) => file.endsWith('.wf'))
  .sort();

const treeOf = (text: string): unknown => {
  const diagnostics: Diagnostic[] = [];
  const tree = parse(text, layout(text), diagnostics);
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  return tree;
};

interface Node {
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object of the tree that says where it stands. */
function* placed(value: unknown): Iterable<{ node: Node; start: number; end: number }> {
  if (Array.isArray(value)) for (const item of value) yield* placed(item);
  if (!isNode(value)) return;
  const { span } = value;
  if (isNode(span) && typeof span.start === 'number' && typeof span.end === 'number')
    yield { node: value, start: span.start, end: span.end };
  for (const [key, part] of Object.entries(value)) if (key !== 'span') yield* placed(part);
}

/** What the text of a node must be, where its fields say so. */
function expected(node: Node): string | RegExp {
  if (node.kind === 'reference' && Array.isArray(node.fields)) return [node.root, ...node.fields].join('.');
  if (node.kind === 'number') return String(node.written);
  if (node.kind === 'constant') return node.value === null ? 'empty' : String(node.value);
  if (node.kind === 'list') return /^\[[\s\S]*\]$/;
  if (node.kind === 'group') return /^\([\s\S]*\)$/;
  if (node.kind === 'ready-made') return new RegExp(`^${String(node.name)}\\b`);
  if (typeof node.operator === 'string' && 'operand' in node) return new RegExp(`^${node.operator} `);
  if (typeof node.text === 'string' && !('kind' in node)) return node.text;
  return /^\S[^\n]*\S$|^\S$/;
}

const withoutSpans = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'span' || key === 'headersSpan' ? undefined : value)));

for (const file of files) {
  const text = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
  const name = path.relative(root, file);

  test(`${name}: every span cuts the text that it names`, () => {
    let count = 0;
    for (const { node, start, end } of placed(treeOf(text))) {
      const cut = text.slice(start, end);
      const wanted = expected(node);
      if (typeof wanted === 'string') assert.equal(cut, wanted, JSON.stringify(node));
      else assert.match(cut, wanted, JSON.stringify(node));
      count++;
    }
    assert.ok(count > 0);
  });

  test(`${name}: CRLF and a byte order mark change nothing`, () => {
    const tree = withoutSpans(treeOf(text));
    const crlf = text.replaceAll('\n', '\r\n');
    assert.deepEqual(withoutSpans(treeOf(crlf)), tree);
    const [plain, marked] = [text, `\uFEFF${text}`].map((source) => compile(source, { file: 'a.wf' }));
    assert.deepEqual(marked, plain);
  });
}
