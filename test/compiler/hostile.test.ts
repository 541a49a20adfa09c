// Hostile files: those in fixtures/hostile, and larger ones built here, get diagnostics quickly.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'acorn';
import fc from 'fast-check';
import { languageWords } from '../../src/compiler/1-layout/alphabet.js';
import { compile } from '../../src/compiler/compile.js';
import { decode } from '../../src/compiler/decode.js';
import type { LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { processorTime, slowness } from '../processor-time.js';
import { fixture, runs, seed, someOf } from '../root.js';
import { corpus } from './corpus.js';
import { loadEmitted } from './load-emitted.js';

/** The target is 2 seconds; a noisy machine gets more. */
const LONGEST = 10_000;
const MEGABYTE = 1_000_000;

const head = 'config:\n    name: "Hostile"\n    version: 1\n\nworkflow:\n    trigger: x\n';
const fill = (text: string, size = MEGABYTE): string => text.repeat(Math.ceil(size / text.length));
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `    ${line(index)}\n`).join('');
const nested = (depth: number, open: string): string =>
  Array.from({ length: depth }, (_, level) => `${'    '.repeat(level + 1)}${open}\n`).join('') +
  `${'    '.repeat(depth + 1)}log 1\n`;

/** A description of the file, its text, and the code of one error that it must have; `undefined` for a file that is only large. */
const made: readonly (readonly [what: string, source: string | Uint8Array, code: string | undefined])[] = [
  ['an empty file', '', 'WF053'],
  ['blank lines and comments', fill('# nothing\n\n   \n', 1_000), 'WF053'],
  ['a megabyte of brackets on one line', `${head}    log ${fill('(')}`, 'WF007'],
  ['a megabyte of closing brackets', `${head}    log ${fill(']')}`, 'WF012'],
  ['a megabyte of quotes', `${head}    log ${fill('"')}`, 'WF012'],
  ['a megabyte of braces in a text', `${head}    log "${fill('{')}"`, undefined],
  ['a megabyte of lone braces in a text', `${head}    log "${fill('} ')}"`, 'WF052'],
  ['a megabyte of one name', `${head}    log ${fill('a')}`, 'WF020'],
  ['a megabyte of one path', `${head}    log request${fill('.a')}`, 'WF064'],
  ['a megabyte of one path in a text', `${head}    log "{request${fill('.a')}}"`, 'WF064'],
  ['a megabyte of values in a text', `${head}    log "${fill('{request.a}')}"`, 'WF064'],
  ['200 parentheses that are never closed', `${head}    log ${'('.repeat(200)}1\n`, 'WF040'],
  ['200 parentheses that are closed wrongly', `${head}    log ${'('.repeat(200)}1${']'.repeat(200)}\n`, 'WF040'],
  ['a slip within 150 parentheses', `${head}    log ${'('.repeat(150)}1 plsu 2${')'.repeat(150)}\n`, 'WF040'],
  ['a megabyte of one number', `${head}    log ${fill('9')}`, 'WF011'],
  ['a megabyte of one text', `${head}    log "${fill('lorem ipsum ')}"`, undefined],
  ['a megabyte of one trigger', `workflow:\n    trigger: ${fill('lorem ipsum ')}\n    complete\n`, undefined],
  [
    'a megabyte of one instruction',
    `services:\n    A is an AI using "openai/x"\nworkflow:\n    trigger: x\n    ask A to ${fill('say "it" ')}\n`,
    undefined,
  ],
  ['150,000 terms in one line', `${head}    log 1${' plus 1'.repeat(150_000)}`, 'WF012'],
  ['150,000 conditions in one line', `${head}    if true${' and true'.repeat(150_000)}:\n        log 1\n`, 'WF012'],
  ['150,000 nots in one line', `${head}    log ${'not '.repeat(150_000)}true\n`, 'WF012'],
  ['2,400 terms in one line', `${head}    log 1${' plus 1'.repeat(2_400)}`, 'WF064'],
  ['2,000 nots in one line', `${head}    log ${'not '.repeat(2_000)}true\n`, 'WF064'],
  ['2,000 uppercase in one line', `${head}    log ${'uppercase of '.repeat(2_000)}"a"\n`, 'WF064'],
  ['a list of 2,000 items', `${head}    log [${'1, '.repeat(2_000)}1]\n`, undefined],
  ['201 parentheses', `${head}    log ${'('.repeat(201)}1${')'.repeat(201)}\n`, 'WF007'],
  ['101 blocks', head + nested(101, 'if true:'), 'WF006'],
  ['5,000 blocks', head + nested(1_500, 'if true:'), 'WF006'],
  ['10,000 lines with an unknown word', head + lines(10_000, (index) => `nothing ${index}`), 'WF013'],
  ['10,000 unknown variables', head + lines(10_000, (index) => `log nothing-${index}`), 'WF020'],
  [
    '20,000 variables and 20,000 slips in them',
    head + lines(20_000, (index) => `set some-long-name-${index} to 1`) + lines(20_000, (index) => `log som-long-name-${index}`),
    'WF020',
  ],
  ['30,000 steps of one name', head + lines(30_000, () => 'step A:\n        log 1'), 'WF022'],
  ['a megabyte of sections', fill('config:\nworkflow:\nservices:\n'), 'WF055'],
  ['a megabyte of line ends', fill('\n'), 'WF053'],
  ['a megabyte of carriage returns', fill('\r'), 'WF002'],
  ['a megabyte of indentation', `${head}${fill(' ')}x`, 'WF045'],
  ['a megabyte of control characters', `${head}    ${fill('\u0001')}`, 'WF002'],
  ['a megabyte of lone surrogates', `${head}    ${fill('\ud800')}`, 'WF009'],
  ['a megabyte of accents', `${head}    log "a${fill('\u0301')}"\n    log nope`, 'WF020'],
  ['a megabyte that is no UTF-8', new Uint8Array(MEGABYTE).fill(0xff), 'WF001'],
  ['a megabyte of zeros', new Uint8Array(MEGABYTE), 'WF002'],
  [
    'a megabyte of noise',
    Uint8Array.from({ length: MEGABYTE }, (_, index) => (index * 7919 + (index >> 3) * 104_729) & 255),
    undefined,
  ],
  [
    'a large and valid file',
    head + lines(30_000, (index) => `set name-${index % 100} to request.a.b plus "text {request.c} ${index}"`),
    undefined,
  ],
];

for (const [what, source, code] of someOf(made)) {
  test(what, () => {
    const took = processorTime();
    const found = assertSound(source);
    const ms = took();
    assert.ok(ms < LONGEST * slowness(), `${Math.round(ms)} ms`);
    if (code !== undefined)
      assert.ok(
        found.some((diagnostic) => diagnostic.code === code),
        `${code} is not among ${[...new Set(found.map((diagnostic) => diagnostic.code))].join(' ')}`,
      );
    assert.ok(found.length <= 45_000);
  });
}

test('every file in fixtures/hostile has an error with a place', () => {
  const files = readdirSync(fixture('hostile')).filter((name) => name.endsWith('.wf'));
  assert.ok(files.length >= 8);
  for (const name of files) {
    const found = assertSound(readFileSync(fixture('hostile', name)));
    assert.ok(
      found.some(({ severity }) => severity === 'error'),
      name,
    );
    assert.ok(found.length <= 25, `${name}: ${found.length} diagnostics`);
  }
});

const limits: readonly (readonly [what: string, body: string])[] = [
  ['500 terms', `    set x to 0${' plus 1'.repeat(500)}\n    complete with x x\n`],
  [
    '500 terms of every operator',
    `    set x to request.n${' plus 3 minus 1 times 1 divided by 1 rounded to 2'.repeat(100)}\n    complete with x x\n`,
  ],
  ['500 lists', `    set x to [1]${' plus request.l'.repeat(499)}\n    complete with x x.count\n`],
  ['500 conditions', `    if request.n is 0${' and request.n is 0'.repeat(499)}:\n        complete with x 1\n`],
  [
    '500 alternatives in parentheses',
    `    if (request.n is 1)${' or (request.n is above 1 and true)'.repeat(498)} or true:\n        complete with x 1\n`,
  ],
  ['200 parentheses', `    complete with x ${'('.repeat(200)}1${' plus request.n)'.repeat(200)}\n`],
  [
    '200 parentheses around conditions',
    `    if ${'not ('.repeat(200)}request.n is above 5${')'.repeat(200)}:\n        complete with x 0\n    complete with x 1\n`,
  ],
  ['200 of everything', `    set x to ${'[not (count of '.repeat(99)}[]${')]'.repeat(99)}\n    complete with x x\n`],
  ['500 values in a text', `    set x to "${'{request.n}'.repeat(500)}"\n    complete with x x\n`],
  ['100 fields', `    set x to "a"\n    set y${'.f'.repeat(100)} to 1\n    complete with x y${'.f'.repeat(100)}\n`],
  ['200 lists', `    set x to ${'['.repeat(200)}1${']'.repeat(200)}\n    complete with x x\n`],
  ['100 blocks', `${nested(98, 'if true:')}    complete with x 1\n`],
  [
    '100 loops',
    `${Array.from({ length: 98 }, (_, level) => `${'    '.repeat(level + 1)}for each x${level} in [1]:\n`).join('')}${'    '.repeat(99)}log x0\n    complete with x 1\n`,
  ],
  [
    '500 branches',
    `    if request.n is 1:\n        log 1\n${'    otherwise if request.n is 2:\n        log 2\n'.repeat(500)}    complete with x 1\n`,
  ],
  ['a line of 4,900 words', `    set x to [${'request.n, '.repeat(2_440)}1]\n    complete with x x.count\n`],
  ['200 nots', `    set x to ${'not '.repeat(200)}true\n    complete with x x\n`],
  ['200 ready-made values', `    set x to ${'uppercase of '.repeat(200)}"a"\n    complete with x x\n`],
];

for (const [what, body] of someOf(limits)) {
  test(`${what} compile, load and run`, async () => {
    const compiled = compile(head + body, { file: 'limit.wf' });
    assert.ok(!compiled.hasErrors, JSON.stringify(compiled.diagnostics.slice(0, 2)));
    const { run } = await loadEmitted(compiled.emitted.code);
    const outcome = await run({ n: 0, l: ['b'] }, { env: {} });
    assert.equal(outcome.status, 'completed', outcome.message);
    assert.notEqual(outcome.outputs?.x, undefined);
  });
}

// Any text produces diagnostics with a place, or a module that parses; never an exception.

const options = { seed: seed(11), numRuns: runs(150) };
const pieces = [
  ...languageWords, ' ', ' ', ' ', '\n', '\n    ', '\n        ', '\r\n', '\r', '\t', '"', '\\', '{', '}', '(', ')', '[', ']', ',', ':', '.', '#', '-', '12', '-3.5', '1e5', 'x', 'request.a', 'a.0.b', '名前', '😀', '\0', '\ufeff', '\u2028', '\ud800', "'", '`', '${', '*/', '</script>', '\u202e', '"text {x}"', 'config:', 'workflow:', 'services:', 'is an API at', 'save the result as', 'on failure:', 'if still failing:',
]; // biome-ignore format: one table
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 200, size: 'max' }).map((parts) => parts.join(''));
const sample = fc.constantFrom(...corpus().map(({ text }) => text));

test('random text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), (text) => void assertSound(text)),
    options,
  );
});

test('random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => void assertSound(bytes)),
    options,
  );
});

test('random keywords', () => {
  fc.assert(
    fc.property(soup, (text) => void assertSound(text)),
    { ...options, numRuns: runs(250) },
  );
});

test('random keywords inside a workflow', () => {
  const inside = soup.map(
    (text) =>
      `services:\n    A is an API at "https://a.example"\nworkflow:\n    trigger: x\n    set x to 1\n    ${text.replaceAll('\n', '\n    ')}\n`,
  );
  fc.assert(
    fc.property(inside, (text) => void assertSound(text)),
    { ...options, numRuns: runs(250) },
  );
});

test('valid workflows with pieces inserted, removed and doubled', () => {
  const edit = fc.record({ at: fc.nat(), drop: fc.nat({ max: 12 }), put: fc.option(fc.constantFrom(...pieces), { nil: '' }) });
  const edited = fc.tuple(sample, fc.array(edit, { minLength: 1, maxLength: 5 })).map(([text, edits]) => {
    let result = text;
    for (const { at, drop, put } of edits) {
      const place = at % (result.length + 1);
      result = result.slice(0, place) + put + result.slice(place + drop);
    }
    return result;
  });
  fc.assert(
    fc.property(edited, (text) => void assertSound(text)),
    { ...options, numRuns: runs(250) },
  );
});

// What must hold for any input of the compiler: diagnostics within the text, or a module that JavaScript can parse.

/** @returns the diagnostics, after checking them and the module */
function assertSound(source: Uint8Array | string): readonly LocatedDiagnostic[] {
  const compiled = compile(source, { file: 'any.wf' });
  const lines = decode(source, []).split('\n');
  let before = 0;
  for (const { file, line, column, length, code, message, sourceLine } of compiled.diagnostics) {
    assert.equal(file, 'any.wf');
    assert.match(code, /^WF\d{3}$/);
    assert.ok(message.length > 10);
    assert.ok(line >= 1 && line <= Math.max(lines.length, 1), `line ${line} of ${lines.length}`);
    assert.ok(line >= before, 'sorted by line');
    before = line;
    assert.ok(column >= 1 && column <= sourceLine.length + 1, `column ${column} of ${sourceLine.length}`);
    assert.ok(length >= 1);
    if (sourceLine.length < 10_000) assert.equal(sourceLine.replace(/\r*$/, ''), (lines[line - 1] ?? '').replace(/\r*$/, ''));
  }
  renderText(compiled.diagnostics.slice(0, 20), { colour: true });
  // acorn takes quadratic time in the number of declarations.
  if (!compiled.hasErrors && compiled.emitted.code.length < 5_000_000)
    parse(compiled.emitted.code, { ecmaVersion: 2022, sourceType: 'module' });
  return compiled.diagnostics;
}
