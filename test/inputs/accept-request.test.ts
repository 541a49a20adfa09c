// Declared inputs at run time: validation, the wording of problems, conversion of text, and that examples, defaults and schemas agree with
// it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptRequest } from '../../runtime/inputs/accept-request.js';
import type { FieldKind, InputField } from '../../runtime/inputs/input-types.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { checkFile } from '../../src/compiler/compile.js';
import { csvValue } from '../../src/input/csv-value.js';
import { type Edge, exampleRecord } from '../../src/input/example-value.js';
import { recordSchema } from '../../src/server/openapi/openapi-parts.js';
import { generatedCases } from '../../src/testing/run-generated.js';
import { fits } from '../testing/json-schema.js';

/** The fields that these lines declare. */
function declared(lines: string): readonly InputField[] {
  const text = `config:\n    name: "Inputs"\n\ninputs:\n${lines.replace(/^(?=.)/gm, '    ')}\nworkflow:\n    trigger: t\n    complete\n`;
  const { facts, diagnostics } = checkFile(text, 'inputs.wf');
  assert.deepEqual(diagnostics, []);
  return facts.inputs ?? [];
}

const problems = (lines: string, request: WfRecord): Record<string, string> =>
  Object.fromEntries(acceptRequest(declared(lines), request).problems.map(({ field, problem }) => [field, problem]));

test('a problem says what the field must be, and what it is', () => {
  const lines =
    'a is a text\nb is a text of 2 to 3 characters\nc is a text like "A#@?*"\nd is a number above 0\ne is a whole number of at least 1\nf is a date from "2026-01-01" to "2026-12-31"\ng is a time\nh is yes or no\ni is one of "x", 2\nj is a list of at least 1 text\nk is a record:\n    l is anything';
  assert.deepEqual(
    problems(lines, { b: 'xxxx', c: 'B', d: 0, e: '1', f: '2026-02-30', g: '2026-01-01', h: 'yes', i: 3, j: [], k: {} }),
    {
      a: 'must be a text, and is missing',
      b: 'must be a text of 2 to 3 characters, and is "xxxx"',
      c: 'must be a text like "A#@?*" (# is a digit, @ is a letter, ? is any character, * is any number of characters), and is "B"',
      d: 'must be a number above 0, and is 0',
      e: 'must be a whole number of at least 1, and is "1"',
      f: 'must be a date from 2026-01-01 to 2026-12-31, and is "2026-02-30" (February 2026 has 28 days)',
      g: 'must be a date and time such as 2026-03-31T09:30, and is "2026-01-01"',
      h: 'must be yes or no (true or false in JSON), and is "yes"',
      i: 'must be one of "x", 2, and is 3',
      j: 'must be a list of at least 1 text, and is empty',
      'k.l': 'must be given, and is missing',
    },
  );
  // A list of the wrong length is also searched for wrong items.
  assert.deepEqual(problems('a is a list of 1 to 2 numbers', { a: [1, 'x', 3] }), {
    a: 'must be a list of 1 to 2 numbers, and has 3',
    'a.1': 'must be a number, and is "x"',
  });
  assert.deepEqual(
    problems('a is a list of yes or no\nb is a list of 1 to 2 anything\nc is a list of anything', {
      a: [true, 'no'],
      b: [1, 'x', {}],
      c: 1,
    }),
    {
      'a.1': 'must be yes or no (true or false in JSON), and is "no"',
      b: 'must be a list of 1 to 2 items, and has 3',
      c: 'must be a list, and is 1',
    },
  );
  assert.deepEqual(problems('a is a text of at most 5 characters', { a: 'x'.repeat(100) }), {
    a: 'must be a text of at most 5 characters, and has 100 characters',
  });
});

test('handles missing and empty fields', () => {
  const fields = declared(
    'a is a text, optional\nb is a date, optional\nc is a number, otherwise 3\nd is a text, otherwise "x"\ne is a list of texts',
  );
  assert.deepEqual(acceptRequest(fields, { e: [] }), { request: { c: 3, d: 'x', e: [] }, problems: [] });
  assert.deepEqual(acceptRequest(fields, { a: '', b: '', c: null, d: '', e: [] }).request, {
    a: '',
    b: null,
    c: 3,
    d: 'x',
    e: [],
  });
  assert.deepEqual(problems('a is a text\nb is a list of texts', { a: '', b: ['x', ''] }), {
    a: 'must be a text, and is empty',
    'b.1': 'must be a text, and is empty',
  });
});

test('converts the text of a table or a form to the declared kind, or reports a problem', () => {
  const read = (kind: string, text: Value): Value => {
    const { request, problems: found } = acceptRequest(declared(`a is ${kind}`), { a: text }, { untyped: csvValue });
    return found.length > 0 ? `! ${found[0]?.problem}` : request.a;
  };
  assert.equal(read('a number', '12.50'), 12.5);
  assert.equal(read('a number', '0012'), 12);
  assert.equal(read('a number', '1,5'), '! must be a number, and is "1,5"');
  assert.equal(read('a number', '1234567890123456'), '! must be a number, and is "1234567890123456"');
  assert.equal(read('a text', 7), '7');
  assert.equal(read('a text', true), 'true');
  assert.equal(read('yes or no', ' Yes '), true);
  assert.equal(read('yes or no', 'FALSE'), false);
  assert.equal(read('yes or no', '1'), '! must be yes or no, and is "1"');
  assert.equal(read('one of 1, 2', '2'), 2);
  assert.equal(read('one of "1", "2"', 2), '2');
  assert.equal(read('anything', '7'), 7);
  assert.equal(read('a date', '2026-03-01'), '2026-03-01');
  assert.equal(read('a number, optional', ''), null);
});

test('a field is data, whatever its name', () => {
  const fields = declared(
    '__proto__ is a record, optional:\n    evil is a number\nconstructor is a text, optional\ntoString is a text, optional',
  );
  const { request, problems: found } = acceptRequest(fields, JSON.parse('{"__proto__": {"evil": 1}, "valueOf": 2}'));
  assert.deepEqual(found, []);
  assert.deepEqual(Object.keys(request), ['__proto__']);
  assert.equal(Object.getPrototypeOf(request), Object.prototype);
  assert.equal(Object.hasOwn(Object.prototype, 'evil'), false);
});

test('reports no more than a thousand of a million wrong items', () => {
  const { problems: found } = acceptRequest(declared('a is a list of numbers'), { a: Array(1_000_000).fill('x') });
  assert.equal(found.length, 1_000);
});

test('compares times with their limits as instants, in the zone of the workflow', () => {
  const fields = declared('at is a time at least "2026-03-01T12:00Z"');
  const fits = (at: string, timezone?: string): boolean => acceptRequest(fields, { at }, { timezone }).problems.length === 0;
  assert.equal(fits('2026-03-01T13:00+01:00'), true);
  assert.equal(fits('2026-03-01T12:59+01:00'), false);
  assert.equal(fits('2026-03-01T12:30', 'UTC'), true);
  assert.equal(fits('2026-03-01T12:30', 'Europe/Berlin'), false);
});

/** Pseudo-random, the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const fitsSchema = (fields: readonly InputField[], request: WfRecord): boolean =>
  fits({ request: recordSchema(fields) }, 'request', request);

const scalars: readonly FieldKind[] = [
  ...([{}, { least: 3 }, { most: 2 }, { least: 2, most: 2 }, { like: 'AB-##*' }] as const).map(
    (limits) => ({ is: 'text', ...limits }) as const,
  ),
  ...([{}, { from: 0.5 }, { to: -3 }, { above: 0, below: 1 }, { from: 2, to: 2 }] as const).map(
    (limits) => ({ is: 'number', ...limits }) as const,
  ),
  ...([{}, { from: 3 }, { above: 5, below: 7 }, { to: -2 }] as const).map(
    (limits) => ({ is: 'whole number', ...limits }) as const,
  ),
  ...([{}, { above: '2026-02-28' }, { from: '2027-01-01', to: '2027-01-01' }, { below: '2020-01-01' }] as const).map(
    (limits) => ({ is: 'date', ...limits }) as const,
  ),
  ...([{}, { above: '2026-02-28T10:00Z' }] as const).map((limits) => ({ is: 'time', ...limits }) as const),
  { is: 'yes or no' },
  { is: 'email address' },
  { is: 'anything' },
  { is: 'choice', values: ['a', 'b', 3] },
];

function randomFields(next: (below: number) => number, depth: number): InputField[] {
  return Array.from({ length: 1 + next(4) }, (_, index): InputField => {
    const which = next(depth > 0 ? 10 : 8);
    const scalar = scalars[next(scalars.length)] ?? { is: 'anything' };
    const kind: FieldKind =
      which === 9
        ? { is: 'record', fields: randomFields(next, depth - 1) }
        : which === 8
          ? {
              is: 'list',
              of: next(2) === 0 ? scalar : { is: 'record', fields: randomFields(next, depth - 1) },
              least: next(3),
              most: 2 + next(3),
            }
          : scalar;
    return { name: `f${index}`, kind, ...(next(3) === 0 ? { optional: true as const } : {}) };
  });
}

test('examples of any declaration fit it, and fit its schema', () => {
  const next = random(7);
  for (let round = 0; round < 300; round++) {
    const fields = randomFields(next, 3);
    const edges: Edge[] = ['typical', 'lowest', 'highest'];
    const requests = [
      ...edges.map((edge) => exampleRecord(fields, edge)),
      exampleRecord(fields, 'typical', true),
      ...generatedCases(fields).map(({ request }) => request),
    ];
    for (const request of requests) {
      assert.deepEqual(acceptRequest(fields, request).problems, [], JSON.stringify({ fields, request }));
      assert.ok(fitsSchema(fields, request), JSON.stringify({ fields, request }));
    }
  }
});

const junk: readonly Value[] = [
  null,
  '',
  'x',
  'AB-12',
  'AB-12\nC',
  '😀',
  0,
  -3,
  1.5,
  6,
  1e9,
  true,
  false,
  [],
  [1],
  ['x', ''],
  {},
  { f0: 1 },
];
/** JSON Schema can't express their limits. */
const isDated = (kind: FieldKind): boolean =>
  kind.is === 'date' ||
  kind.is === 'time' ||
  kind.is === 'email address' ||
  (kind.is === 'list' && isDated(kind.of)) ||
  (kind.is === 'record' && kind.fields.some((field) => isDated(field.kind)));

test('the schema accepts exactly what the server accepts', () => {
  const next = random(11);
  const counts = { taken: 0, refused: 0 };
  for (let round = 0; round < 2_000; round++) {
    const fields = randomFields(next, 2).filter(({ kind }) => !isDated(kind));
    const request = exampleRecord(fields, 'typical');
    for (const { name } of fields) if (next(3) === 0) request[name] = junk[next(junk.length)];
    const isTaken = acceptRequest(fields, request).problems.length === 0;
    assert.equal(fitsSchema(fields, request), isTaken, JSON.stringify({ fields, request }));
    counts[isTaken ? 'taken' : 'refused']++;
  }
  assert.ok(counts.taken > 200 && counts.refused > 200, JSON.stringify(counts));
});
