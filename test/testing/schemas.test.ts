// The JSON Schemas agree with the readers: the same keys, and the same files are valid.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { renderJson } from '../../src/compiler/diagnostics/render-for-machines.js';
import { parseMocks } from '../../src/engine/files/mocks-file.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { readCases } from '../../src/testing/read-cases.js';
import { callKeys, caseKeys, expectationKeys } from '../../src/testing/test-case.js';
import { fixture, root } from '../root.js';
import { folderWithData } from './in-memory-io.js';
import { fits } from './json-schema.js';

const load = (name: string): Record<string, unknown> => JSON.parse(readFileSync(path.join(root, 'schemas', name), 'utf8'));
const files = { 'test-cases.schema.json': load('test-cases.schema.json'), 'mocks.schema.json': load('mocks.schema.json') };
const isCases = (value: unknown): boolean => fits(files, 'test-cases.schema.json', value);
const isMocks = (value: unknown): boolean => fits(files, 'mocks.schema.json', value);

test('the schema of cases names the keys that are read', () => {
  const defs = JSON.parse(JSON.stringify(files['test-cases.schema.json'].$defs));
  assert.deepEqual(Object.keys(defs.case.properties), [...caseKeys]);
  assert.deepEqual(Object.keys(defs.expectation.properties), [...expectationKeys]);
  assert.deepEqual(Object.keys(defs.call.properties), Object.keys(callKeys));
});

test('every case file of the examples is valid', () => {
  const examples = readdirSync(fixture('examples')).filter((name) => name.endsWith('.test.json'));
  assert.ok(examples.length > 5);
  for (const name of examples) assert.ok(isCases(JSON.parse(readFileSync(fixture('examples', name), 'utf8'))), name);
});

test('the schema of findings describes every key of every finding', () => {
  const findings: Record<string, unknown>[] = JSON.parse(
    renderJson(checkFile('workflow:\n    trigger: t\n\n    complet\n    set x to nobody\n', 'draft.wf').diagnostics),
  );
  assert.ok(
    findings.some(({ severity }) => severity === 'warning') && findings.some(({ suggestion }) => suggestion !== undefined),
  );
  const schema = load('findings.schema.json');
  assert.ok(fits({ schema }, 'schema', findings));
  assert.ok(!fits({ schema }, 'schema', [{ ...findings[0], severity: 5 }]));
  const described = Object.keys(JSON.parse(JSON.stringify(schema)).items.properties);
  for (const finding of findings) for (const key of Object.keys(finding)) assert.ok(described.includes(key), key);
});

const one = { name: 'a', expect: { status: 'completed' } };
const call = {
  service: 'S',
  phrase: 'get it',
  verb: 'get',
  method: 'GET',
  path: '/',
  url: 'https://a',
  parameters: { a: 1 },
  instruction: 'x',
  addressee: 'x',
  choices: ['x'],
  attempt: 1,
  status: 200,
};

const caseFiles: readonly (readonly [fine: boolean, value: unknown])[] = [
  [true, [one]],
  [true, { $schema: 'x', cases: [one] }],
  [
    true,
    [
      {
        ...one,
        input: { a: [null] },
        env: { A: 'b' },
        now: '2026-03-02T09:30:00.5+01:00',
        mocks: { S: { get: { status: 503 } } },
      },
    ],
  ],
  [
    true,
    [
      {
        name: 'a',
        expect: { status: 'error', outputs: {}, message: { contains: 'x' }, logs: ['a', { contains: 'b' }], calls: [call, {}] },
      },
    ],
  ],
  [true, [{ ...one, messages: { payment: { amount: 5 }, refund: 'none' } }]],
  [
    true,
    [
      {
        ...one,
        at: '2026-03-02',
        messages: { a: { after: '2 days', message: {} }, b: [{ n: 1 }, { after: '1 hour', message: {} }] },
      },
    ],
  ],
  [
    true,
    [{ ...one, received: { by: 'schedule', id: 'r', headers: { 'X-A': '1' }, query: { p: ['1', '2'], q: '' }, caller: 'c' } }],
  ],
  [false, [{ ...one, received: { at: '2026-03-02' } }]],
  [false, [{ ...one, received: { by: 'mail' } }]],
  [false, [{ ...one, received: { headers: { a: 1 } } }]],
  [false, [{ ...one, messages: { payment: { after: '2 fortnights', message: {} } } }]],
  [false, [{ ...one, messages: { payment: { inTurn: [{ n: 1 }] } } }]],
  [false, [{ ...one, messages: { payment: 'silence' } }]],
  [false, [{ ...one, messages: [] }]],
  [false, []],
  [false, { oops: 1 }],
  [false, { cases: [one], more: 1 }],
  [false, [{ ...one, name: ' ' }]],
  [false, [{ ...one, inptu: {} }]],
  [false, [{ ...one, input: [] }]],
  [false, [{ ...one, env: { A: 1 } }]],
  [false, [{ ...one, now: '2026-03-02T09:30:00' }]],
  [false, [{ ...one, mocks: 3 }]],
  [false, [{ ...one, mocks: { S: 3 } }]],
  [false, [{ ...one, mocks: { S: { get: { fail: -1 } } } }]],
  [false, [{ name: 'a', expect: { status: 'done' } }]],
  [false, [{ name: 'a', expect: {} }]],
  [false, [{ name: 'a', expect: { status: 'error', message: { contain: 'x' } } }]],
  [false, [{ name: 'a', expect: { status: 'error', logs: 'x' } }]],
  [false, [{ name: 'a', expect: { status: 'error', calls: [{ method: 'get' }] } }]],
  [false, [{ name: 'a', expect: { status: 'error', calls: [{ services: 'x' }] } }]],
];

test('the schema of cases and their reader agree', (context) => {
  caseFiles.forEach(([fine, value], index) => {
    const folder = folderWithData(context, { 'a.test.json': value });
    assert.equal(isCases(value), fine, `schema, ${index}: ${JSON.stringify(value)}`);
    if (fine) assert.ok(readCases('a.wf', folder));
    else assert.throws(() => readCases('a.wf', folder), UsageError, `reader, ${index}: ${JSON.stringify(value)}`);
  });
});

const mocksFiles: readonly (readonly [fine: boolean, text: string])[] = [
  [true, '{}'],
  [true, '{ "$schema": "x", "Stock": { "get stock": { "level": 4 }, "/items/A1": null, "get": [1], "get /x": "text" } }'],
  [
    true,
    '{ "S": { "a": { "status": 503, "body": "x", "headers": {} }, "b": { "status": "open" }, "c": { "status": 200, "extra": 1 } } }',
  ],
  [true, '{ "S": { "a": { "fail": 2, "then": { "error": "reset" } }, "b": { "fail": 1, "other": 2 } } }'],
  [true, '{ "S": { "a": { "inTurn": [{ "fail": 1 }, { "inTurn": [1] }] }, "ask": { "result": "x", "confidence": 0.5 } } }'],
  [
    true,
    '{ "S": { "a": { "takes": "5 minutes", "status": 200, "value": 1 }, "ask": [{ "answer": "x", "after": "1 working day" }, "y"] } }',
  ],
  [false, '{ "S": { "a": { "takes": "soon" } } }'],
  [false, '{ "S": { "ask": { "answer": "x", "after": 3 } } }'],
  [false, '[]'],
  [false, '{ "S": 4 }'],
  [false, '{ "S": { "a": { "error": 3 } } }'],
  [false, '{ "S": { "a": { "fail": 1.5 } } }'],
  [false, '{ "S": { "a": { "fail": 1, "then": { "inTurn": [] } } } }'],
  [false, '{ "S": { "a": { "status": 200, "headers": [] } } }'],
  [false, '{ "S": { "a": { "inTurn": 3 } } }'],
];

test('the schema of mock answers and their reader agree', () => {
  for (const [fine, text] of mocksFiles) {
    assert.equal(isMocks(JSON.parse(text)), fine, `schema: ${text}`);
    assert.equal(parseMocks(JSON.parse(text)).ok, fine, `reader: ${text}`);
  }
});
