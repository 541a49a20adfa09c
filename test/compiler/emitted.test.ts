// The content of an emitted module: text of the file survives as data, to the last byte, and the source map finds each statement.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { decode } from '@jridgewell/sourcemap-codec';
import fc from 'fast-check';
import type { Value } from '../../runtime/types.js';
import { above, atLeast, atMost, below } from '../../runtime/values/comparison.js';
import { compile, type Emitted } from '../../src/compiler/compile.js';
import { root, runs, seed } from '../root.js';
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

// Comparisons with a fixed number: the inline code of the emitter agrees with the runtime, especially for close values.

const source = readFileSync(path.join(root, 'test/compiler/files/order.wf'), 'utf8');

/** Numbers at, near and far from `fixed`. */
const near = (fixed: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(fixed, fixed + 1, fixed - 1),
    fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.constantFrom(1e-16, 1e-15, 1e-14, 1e-13, 1e-12))
      .map(([n, by]) => fixed + n * by * fixed),
    fc.integer({ min: -50, max: 50 }).map((n) => fixed + n / 10),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  );

for (const fixed of ['100', '0', '-3', '0.3', '1200.5', '999999999999', '100.00000000000001', '0.1000000000000000055']) {
  test(`compared with ${fixed}`, async () => {
    const compiled = compile(source.replaceAll('100', fixed), { file: 'order.wf' });
    assert.ok(!compiled.hasErrors);
    const { run } = await loadEmitted(compiled.emitted.code);
    const value = Number(fixed);
    await fc.assert(
      fc.asyncProperty(near(value), async (n) => {
        const expected = { above: above(n, value), below: below(n, value), least: atLeast(n, value), most: atMost(n, value) };
        assert.deepEqual((await run({ n })).outputs, expected, String(n));
      }),
      { numRuns: runs(500), seed: seed(11) },
    );
  });
}

// Totals checked only after their loop. A total that is too large ends the run as an immediate check would; a total that the loop could
// observe is checked immediately.

const head = 'workflow:\n    trigger: t\n\n    set total to 0\n    set other to 0\n    for each row in request.rows:\n';

async function runBody(body: string, rows: Value[]): Promise<{ late: boolean; outcome: unknown }> {
  const text = `${head}${body
    .split('\n')
    .map((line) => `        ${line}\n`)
    .join('')}    complete with total total and other other\n`;
  const compiled = compile(Buffer.from(text), { file: 't.wf' });
  assert.ok(!compiled.hasErrors, JSON.stringify(compiled.diagnostics));
  const { run } = await loadEmitted(compiled.emitted.code);
  const { status, outputs, message, error } = await run({ rows }, { env: {} });
  return { late: /if \(\w+ - \w+ !== 0\)/.test(compiled.emitted.code), outcome: { status, outputs, message, error } };
}

const amount = 'set amount to row times 2';
const sum = 'set total to total plus amount';
const large = Number.MAX_VALUE / 4;

const late = {
  'a total': `${amount}\n${sum}`,
  'a total under a condition': `${amount}\nif amount is above 0:\n    ${sum}\notherwise:\n    set other to other minus amount`,
  'a total of a loop that is left': `${amount}\n${sum}\nif amount is 0:\n    stop the loop\nif amount is 2:\n    skip`,
};
for (const [what, body] of Object.entries(late)) {
  test(`checks ${what} after the loop, and ends the run as before`, async () => {
    for (const rows of [
      [],
      [1, 2.5, -1],
      [large, large, 1, large],
      [-large, -large, 5, -large, 0, 1],
      [large, large, 0, large],
    ]) {
      const after = await runBody(body, rows);
      // A log entry could show it, so this one is checked in each round.
      const once = await runBody(`${body}\nif row is "never":\n    log "x"`, rows);
      assert.deepEqual([after.late, once.late], [true, false]);
      assert.deepEqual(after.outcome, once.outcome);
    }
  });
}

test('a total that is too large is an error on the line of the sum', async () => {
  const { outcome } = await runBody(`${amount}\n${sum}`, [large, large, 1, large]);
  assert.match(JSON.stringify(outcome), /"status":"error".*too large.*"line":8/);
});

const atOnce = {
  'that something is taken off': `${amount}\nset total to total minus amount`,
  'that a condition reads': `${amount}\n${sum}\nif total is above 5:\n    set other to 1`,
  'that another variable takes': `${amount}\n${sum}\nset other to total`,
  'that a text shows': `${amount}\n${sum}\nset other to "{total}"`,
  'that is set twice': `${amount}\n${sum}\nset total to total minus amount`,
  'that is added to itself': 'set total to total plus total',
  'of more than one step': `${amount}\nset total to total plus amount plus 1`,
  'in a loop with a log line': `${amount}\n${sum}\nlog amount`,
  'in a loop that may end the run': `${amount}\n${sum}\nif amount is 2:\n    reject with "no"`,
  'in a loop around a loop': `${amount}\n${sum}\nfor each part in [1]:\n    set other to part`,
  'of what may be no number': 'set total to total plus row',
};
for (const [what, body] of Object.entries(atOnce)) {
  test(`checks a total ${what} immediately`, async () => {
    const { late: isLate, outcome } = await runBody(body, [1, 2]);
    assert.equal(isLate, false);
    assert.doesNotMatch(JSON.stringify(outcome), /"error"/);
  });
}

test('checks the total of an inner loop after that loop, before anything else sees it', async () => {
  const inner = `for each part in row:\n    set amount to part times 2\n    ${sum}\nlog "so far {total}"`;
  const { late: isLate, outcome } = await runBody(inner, [[1], [large, large, large]]);
  assert.equal(isLate, true);
  assert.match(JSON.stringify(outcome), /"status":"error".*too large/);
});

test('tracing shows no total that is too large', async () => {
  const text = `${head}        ${amount}\n        ${sum}\n`;
  const compiled = compile(Buffer.from(text), { file: 't.wf', trace: true });
  assert.ok(!compiled.hasErrors);
  assert.doesNotMatch(compiled.emitted.code, /!== 0\)/);
});
