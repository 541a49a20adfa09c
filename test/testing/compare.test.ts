// What matches and what doesn't: outputs, messages, log lines and calls of a run, each difference with its path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redactorFor } from '../../runtime/run/redaction.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { checkFile } from '../../src/compiler/compile.js';
import { changedLines } from '../../src/testing/changed-lines.js';
import { changedSettings, type Head, headOf } from '../../src/testing/changed-settings.js';
import { callDifferences, compareOutcome, differences, type Observed } from '../../src/testing/compare-outcome.js';
import type { Expectation, ObservedCall } from '../../src/testing/test-case.js';

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('every value matches itself, and a record any with more fields', () => {
  fc.assert(fc.property(value, (one) => assert.deepEqual(differences(one, structuredClone(one), 'x'), [])));
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), value), value, (one, more) =>
      assert.deepEqual(differences(one, { ...one, MORE: more }, 'x'), []),
    ),
  );
});

test('reports a missing field or another value with its path', () => {
  const got = { level: 3, items: [{ sku: 'A', price: 0.1 + 0.2 }, { sku: 'B' }], note: null };
  assert.deepEqual(differences({ level: 4 }, got, 'outputs'), ['outputs.level: expected 4, got 3']);
  assert.deepEqual(differences({ level: '3' }, got, 'outputs'), ['outputs.level: expected "3", got 3']);
  assert.deepEqual(differences({ items: [{ price: 0.3 }, { sku: 'C' }] }, got, 'outputs'), [
    'outputs.items.1.sku: expected "C", got "B"',
  ]);
  assert.deepEqual(differences({ items: [{ sku: 'A' }] }, got, 'outputs'), ['outputs.items.count: expected 1, got 2']);
  assert.deepEqual(differences({ note: null, other: null }, got, 'outputs'), []);
  assert.deepEqual(differences({ other: 1, constructor: 2 }, got, 'outputs'), [
    'outputs.other: expected 1, got empty',
    'outputs.constructor: expected 2, got empty',
  ]);
  assert.deepEqual(differences({ level: { a: 1 } }, got, 'outputs'), ['outputs.level: expected {"a":1}, got 3']);
  assert.equal(
    differences({ level: 'x'.repeat(900) }, got, 'outputs')[0]?.length,
    'outputs.level: expected '.length + 200 + '… (902 characters), got 3'.length,
  );
});

const made: readonly ObservedCall[] = [
  {
    service: 'Stock',
    phrase: 'get stock',
    verb: 'get',
    method: 'GET',
    path: '/items/A1?all=1',
    parameters: {},
    attempt: 1,
    status: 503,
  },
  {
    service: 'Stock',
    phrase: 'get stock',
    verb: 'get',
    method: 'GET',
    path: '/items/A1?all=1',
    parameters: {},
    attempt: 2,
    status: 200,
  },
  {
    service: 'Writer',
    phrase: 'ask',
    verb: 'ask',
    method: 'POST',
    instruction: 'write a line',
    parameters: {},
    attempt: 1,
    status: 200,
  },
  {
    service: 'Alerts',
    phrase: 'send alert',
    verb: 'send',
    method: 'POST',
    parameters: { text: 'hello', tags: ['a', 'b'] },
    attempt: 1,
    status: 200,
  },
];

test('finds expected calls in order, with others in between', () => {
  const matching: readonly (readonly WfRecord[])[] = [
    [{ service: 'Stock', path: '/items/A1' }, { service: 'Alerts' }],
    [{ path: 'items/A1' }, { attempt: 2, status: 200 }],
    [{ path: '/items/A1?all=1' }],
    [{ parameters: { tags: ['a', 'b'] } }],
    [{ instruction: 'write a line' }, {}],
    [{}, {}, {}, {}],
  ];
  for (const expected of matching) assert.deepEqual(callDifferences(expected, made), [], JSON.stringify(expected));
});

test('reports a call that was not made, differs, or came too early', () => {
  const first = (...expected: WfRecord[]): string | undefined => callDifferences(expected, made)[0];
  assert.equal(first({ service: 'Alerts', parameters: { text: 'bye' } }), 'calls.0.parameters.text: expected "bye", got "hello"');
  assert.equal(first({ service: 'Ledger' }), 'calls.0: expected {"service":"Ledger"}, but it was not called');
  assert.equal(
    first({ service: 'Alerts' }, { service: 'Stock' }),
    'calls.1: {"service":"Stock"} was called, but earlier than expected',
  );
  assert.equal(first({ path: '/items/A1?all=2' }), 'calls.0.path: expected "/items/A1?all=2", got "/items/A1?all=1"');
  assert.equal(first({}, {}, {}, {}, {}), 'calls.4: {} was called, but earlier than expected');
  assert.deepEqual(callDifferences([{ service: 'Ledger' }], made).slice(1), [
    'calls made:',
    '    get stock using Stock: GET /items/A1?all=1',
    '    get stock using Stock: GET /items/A1?all=1, attempt 2',
    '    ask Writer to write a line',
    '    send alert using Alerts: POST with {"text":"hello","tags":["a","b"]}',
  ]);
  assert.deepEqual(callDifferences([{ service: 'Ledger' }], []), [
    'calls.0: expected {"service":"Ledger"}, but it was not called',
    'no calls were made',
  ]);
});

test('an empty list of calls expects none', () => {
  assert.deepEqual(callDifferences([], []), []);
  assert.equal(callDifferences([], made)[0], 'calls: expected none, got 4');
});

function compared(expected: Expectation, observed: Partial<Observed>): string[] {
  return compareOutcome(expected, {
    outcome: { status: 'completed', outputs: {}, log: [] },
    logs: [],
    calls: [],
    redactor: redactorFor(['s3cret-key']),
    ...observed,
  });
}

test('reports a different end with its message and line, and nothing else', () => {
  const outcome = {
    status: 'error',
    message: 'x is empty',
    error: { message: 'x is empty', line: 7, code: 'WF601' },
    log: [],
  } as const;
  assert.deepEqual(compared({ status: 'completed', outputs: { a: 1 } }, { outcome: { ...outcome, log: [] } }), [
    'status: expected completed, got error',
    '    line 7: x is empty',
  ]);
  assert.deepEqual(compared({ status: 'rejected' }, { outcome: { status: 'completed', outputs: { a: 1 }, log: [] } }), [
    'status: expected rejected, got completed',
    '    with {"a":1}',
  ]);
});

test('messages and log lines: the whole text or a part, every line in order', () => {
  const outcome = { status: 'rejected', message: 'sold out', log: [] } as const;
  const rejected = { outcome: { ...outcome, log: [] } };
  assert.deepEqual(compared({ status: 'rejected', message: 'sold out' }, rejected), []);
  assert.deepEqual(compared({ status: 'rejected', message: { contains: 'sold' } }, rejected), []);
  assert.deepEqual(compared({ status: 'rejected', message: 'sold' }, rejected), ['message: expected "sold", got "sold out"']);
  assert.deepEqual(compared({ status: 'rejected', message: { contains: 'gone' } }, rejected), [
    'message: expected text containing "gone", got "sold out"',
  ]);
  const logs = (expected: Expectation['logs'], got: readonly string[]): string[] =>
    compared({ status: 'completed', ...(expected === undefined ? {} : { logs: expected }) }, { logs: got });
  assert.deepEqual(logs(['a', { contains: 'b' }], ['a', 'abc']), []);
  assert.deepEqual(logs(['b', 'a'], ['a', 'b']), ['logs.0: expected "b", got "a"', 'logs.1: expected "a", got "b"']);
  assert.deepEqual(logs(['a', { contains: 'b' }], ['a']), ['logs.1: expected text containing "b", got no line']);
  assert.deepEqual(logs([], ['a']), ['logs.0: expected no more lines, got "a"']);
});

test('compares secrets without showing them, and escapes control characters', () => {
  assert.deepEqual(compared({ status: 'completed', logs: ['key s3cret-key'] }, { logs: ['key [redacted]'] }), []);
  const outcome = { status: 'completed', outputs: { key: 's3cret-key', text: '\u009b31m' }, log: [] } as const;
  assert.deepEqual(compared({ status: 'completed', outputs: { key: 's3cret-key' } }, { outcome: { ...outcome, log: [] } }), []);
  assert.deepEqual(compared({ status: 'completed', outputs: { key: 'x', text: 'y' } }, { outcome: { ...outcome, log: [] } }), [
    'outputs.key: expected "x", got "[redacted]"',
    'outputs.text: expected "y", got "\\u009b31m"',
  ]);
});

// Where runs of two versions can begin to differ.

const head = 'config:\n    name: "Case"\n    version: 1\n\nworkflow:\n    trigger: now\n\n';
const body = `    set fee to 0
    if request.total is above 100:
        set fee to 5
        log "large"
    otherwise:
        log "small"
    for each line in request.lines:
        set fee to fee plus line.fee
    complete with fee fee
`;

const changed = (old: string, now: string): number[] | undefined => {
  const lines = changedLines(checkFile(head + old, 'old.wf'), checkFile(head + now, 'now.wf'));
  return lines === undefined ? undefined : [...lines];
};

const cases: readonly (readonly [what: string, before: string | RegExp, after: string, lines: readonly number[]])[] = [
  ['nothing', '', '', []],
  ['a comment above a statement', '    if request', '    # Large.\n    if request', [8]],
  ['a condition', 'above 100', 'above 200', [9]],
  ['the first line of a branch', 'set fee to 5', 'set fee to 6', [10]],
  ['a line that is new at the end of a branch', 'log "large"\n', 'log "large"\n        set fee to 7\n', [11]],
  ['a line that is gone', '        log "large"\n', '', [11]],
  ['a line in a loop', 'fee plus line.fee', 'fee minus line.fee', [15]],
  ['another wording of a log', '"small"', '"tiny"', []],
  ['a log that may fail', '"small"', '"{request.a.b}"', [13]],
  ['a variable with another name', /(?<!\.)fee(?! fee)/g, 'costs', []],
  ['an item with another name', /\bline\b/g, 'row', []],
  ['another variable', 'set fee to 5', 'set costs to 5', [10]],
  ['the end', 'complete with fee fee', 'complete with fee 1', [16]],
];

for (const [what, before, after, lines] of cases)
  test(`finds the lines of ${what}`, () => assert.deepEqual(changed(body, body.replace(before, after)), lines));

test('compares settings as they are written, whatever else changes', () => {
  const text = `config:
    name: "Case"
    version: 1
    once for each: request.number for 90 days

services:
    Bank is an API at "https://bank.example.com/#a"  # The test system.
        with timeout 10 seconds
    Post is a webhook at "https://post.example.com"

workflow:
    trigger: now
    log "once"
`;
  const other = text
    .replace('version: 1', 'version: 2\n    keep for: 30 days')
    .replace('    once for each: request.number for 90 days\n', '')
    .replace('10 seconds', '60 seconds')
    .replace('  # The test system.', '')
    .replace('trigger: now', 'trigger: later');
  const [before, after] = changedSettings(...([text, other].map((one) => headOf(checkFile(one, 'case.wf'))) as [Head, Head]));
  assert.deepEqual(before, ['once for each: request.number for 90 days', 'Bank: with timeout 10 seconds']);
  assert.deepEqual(after, ['keep for: 30 days', 'Bank: with timeout 60 seconds']);
  assert.deepEqual(changedLines(checkFile(text, 'old.wf'), checkFile(other, 'now.wf')), new Set());
});

test('spaces count inside quotes only', () => {
  const headAt = (services: string): Head => headOf(checkFile(`services:\n${services}\n${body}`, 'case.wf'));
  const old = headAt('    Bank is an API at "https://bank.example.com/{env.A B}"');
  assert.deepEqual(changedSettings(old, headAt('    Bank  is an  API at "https://bank.example.com/{env.A B}"')), [[], []]);
  assert.equal(changedSettings(old, headAt('    Bank is an API at "https://bank.example.com/{env.A  B}"'))[1].length, 1);
});

test('takes a run for different everywhere if what stands above the workflow has changed', () => {
  const old = checkFile(head + body, 'old.wf');
  assert.equal(
    changedLines(old, checkFile(head.replace('version: 1', 'version: 1\n    timeout: 2 days') + body, 'now.wf')),
    undefined,
  );
  assert.deepEqual(changedLines(old, checkFile(head.replace('name', '# A name.\n    name') + body, 'now.wf')), new Set());
});
