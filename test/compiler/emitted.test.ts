// The content of an emitted module: text of the file survives as data, to the last byte, and the source map finds each statement.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@jridgewell/sourcemap-codec';
import fc from 'fast-check';
import { compile, type Emitted } from '../../src/compiler/compile.js';
import { runs, seed } from '../root.js';
import { corpusAlone } from './corpus.js';
import { loadEmitted } from './load-emitted.js';
import { compileAnyway } from './programs/compile-anyway.js';
import { programFile } from './programs/files.js';
import { Generator } from './programs/generate.js';
import { printWorkflow } from './programs/print.js';
import { tapes } from './programs/property.js';
import { Tape } from './programs/tape.js';

function emit(text: string): Emitted {
  const compiled = compile(text, { file: 'emitted.wf' });
  assert.ok(!compiled.hasErrors, JSON.stringify(compiled.diagnostics));
  return compiled.emitted;
}

const written = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replace(/[{}]/g, '$&$&')}"`;

const nasty = [
  '"',
  "'",
  '`',
  '\\',
  '\\\\',
  '${',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a workflow, which must remain text
  '${process.exit(1)}',
  '{',
  '}',
  '\u2028',
  '\u2029',
  '*/',
  '/*',
  '//',
  '<!--',
  '-->',
  '</script>',
  '\n',
  '\t',
  '\ud800',
  '\udfff',
  '\u202e',
  '\ufeff',
  '#',
  '\\u0041',
  '\\x41',
  '\\0',
  '😀',
  'é',
  '__proto__',
  '\\n',
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join('').replace(/[\p{Cc}]/gu, (control) => (control === '\n' || control === '\t' ? control : '')));

test('text survives anywhere and never runs', async () => {
  await fc.assert(
    fc.asyncProperty(texts, texts, async (one, other) => {
      const { code } = emit(
        `config:\n    name: ${written(`n${one}`)}\n    version: 1\n    description: ${written(other)}\n\nworkflow:\n    trigger: a ${one.replaceAll('\n', ' ')} trigger\n    set x to ${written(one)}\n    log "${written(one).slice(1, -1)}{x}${written(other).slice(1, -1)}"\n    complete with one x and other ${written(other)} and list [${written(one)}, ${written(other)}]\n`,
      );
      const { run, workflow } = await loadEmitted(code);
      const outcome = await run({}, { env: {} });
      assert.deepEqual(outcome.outputs, { one, other, list: [one, other] });
      assert.equal(outcome.log[0]?.message, one + one + other);
      assert.deepEqual([workflow.name, workflow.description], [`n${one}`, other]);
    }),
    { seed: seed(3), numRuns: runs(150) },
  );
});

test('input text reaches the outputs unchanged', async () => {
  const { run } = await loadEmitted(
    emit('workflow:\n    trigger: t\n    complete with a request.a and b "{request.a}" and c [request.a]\n').code,
  );
  for (const a of [...nasty, '\0', '\u001b[31m', 'x'.repeat(100_000)])
    assert.deepEqual((await run({ a }, { env: {} })).outputs, { a, b: a, c: [a] });
});

/** Each line of the module that comes from the file, as its code and its line in the file, both from 1. */
function* mapped({
  code,
  map,
}: Emitted): Iterable<{ readonly code: string; readonly line: number; readonly column: number; readonly source: number }> {
  const lines = code.split('\n');
  const mappings = decode(map.mappings);
  assert.ok(mappings.length <= lines.length);
  for (const [index, segments] of mappings.entries()) {
    for (const [column, file, at] of segments) {
      if (at === undefined) continue;
      yield { code: lines[index] ?? '', line: index + 1, column, source: file === 0 ? at + 1 : -1 };
    }
  }
}

/** A comment above each statement gives its line. What follows must map to that line, or to one in a block of the statement. */
function assertMapped(text: string): void {
  const { emitted } = compileAnyway(new Map([[programFile, Buffer.from(text)]]));
  assert.deepEqual(emitted.map.sourcesContent, [text]);
  const lines = emitted.code.split('\n');
  const sources = text.split('\n');
  const first = new Map<number, number>();
  for (const { line, column, source, code } of mapped(emitted)) {
    assert.ok(source >= 1 && source <= sources.length);
    assert.ok(column <= code.length);
    if (!first.has(line)) first.set(line, source);
  }
  let statements = 0;
  for (const [index, line] of lines.entries()) {
    const said = /^\s*\/\/ (\d+): (.*)$/.exec(line);
    if (said === null) continue;
    statements++;
    const source = Number(said[1]);
    const statement = (sources[source - 1] ?? '').trim().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
    assert.ok(statement.startsWith((said[2] ?? '').slice(0, 40)), line);
    let next = index + 1;
    while (next < lines.length && !first.has(next + 1)) next++;
    assert.equal(first.get(next + 1), source, `${line}\n${lines[next]}`);
  }
  assert.ok(statements > 0);
}

for (const { name, text } of corpusAlone()) test(`the source map of ${name}`, () => assertMapped(text.replace(/^\ufeff/, '')));

test('the source maps of random programs', () => {
  fc.assert(
    fc.property(tapes, (tape) =>
      assertMapped(printWorkflow(new Generator(new Tape(tape), { isAlone: true, hasInputs: false }).program(), programFile)),
    ),
    { seed: seed(8), numRuns: runs(60) },
  );
});
