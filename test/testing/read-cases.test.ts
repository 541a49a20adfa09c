// Case files and mocks files: each invalid one is refused with its file, its line, and what was expected; `--case` selects cases.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Values } from '../../src/commands/command-spec.js';
import { readMocks } from '../../src/engine/files/mocks-file.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { lineOfPath, readCases } from '../../src/testing/read-cases.js';
import { testFile } from '../root.js';
import { folderWithData, wfTest } from './in-memory-io.js';

const good = { name: 'a', expect: { status: 'completed' } };

function refusal(context: TestContext, content: unknown): string {
  const folder = folderWithData(context, { 'order.test.json': content, 'broken.json': '{ "Stock": 3 }' });
  try {
    readCases('order.wf', folder);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return `${error.message}${error.hint === undefined ? '' : ` | ${error.hint}`}`;
  }
  return 'accepted';
}

const form = 'Write a list of cases: [{ "name": "in stock", "input": {}, "expect": { "status": "completed" } }].';
const mocksForm = 'Write mock answers by service and call: { "Stock": { "get stock": { "level": 4 } } }';

const refusals: readonly (readonly [content: unknown, message: string])[] = [
  ['', 'order.test.json is empty; expected JSON.'],
  [
    '[\n  { "name": "a",\n }]',
    'order.test.json, line 2, column 16: this is not valid JSON: Remove the comma before the closing "}".',
  ],
  ['3', `order.test.json must contain a list of cases. | ${form}`],
  [{ oops: 1 }, `order.test.json, line 1: the file has no list of cases. | ${form}`],
  [
    { cases: [good], casse: 1 },
    'order.test.json, line 10: the file has an unknown key "casse". | Did you mean "cases"?\nThe known keys are $schema, cases.',
  ],
  [[], 'order.test.json, line 1: the file contains no cases. | Write at least one, or delete the file.'],
  [{ cases: {} }, 'order.test.json, line 2: "cases" must be a list of cases, not an object.'],
  [[good, 3], 'order.test.json, line 8: case 2 must be an object, not a number.'],
  [[{ expect: good.expect }], 'order.test.json, line 2: case 1 has no name. | Give each case a "name" that says what it tests.'],
  [
    [{ name: 3, expect: good.expect }],
    'order.test.json, line 3: "name" of case 1 must be text such as "in stock", not a number.',
  ],
  [[good, { ...good, name: 'b' }, good], 'order.test.json, line 15: case 3 has the same name as case 1: "a".'],
  [[{ name: 'a' }], 'order.test.json, line 2: case 1 ("a") has no "expect". | For example: "expect": { "status": "completed" }'],
  [
    [{ ...good, inptu: {} }],
    'order.test.json, line 7: case 1 ("a") has an unknown key "inptu". | Did you mean "input"?\nThe known keys are name, input, env, at, now, received, mocks, messages, expect, generated.',
  ],
  [[{ ...good, input: [1] }], 'order.test.json, line 7: "input" of case 1 ("a") must be an object, not a list.'],
  [
    [{ ...good, env: { PORT: 3000 } }],
    'order.test.json, line 8: "PORT" of "env" of case 1 ("a") must be text such as "3000", not a number.',
  ],
  [
    [{ ...good, now: '2026-02-30' }],
    'order.test.json, line 7: "now" of case 1 ("a") is "2026-02-30"; expected a date or a moment in UTC. | For example "2026-03-02" or "2026-03-02T09:30:00Z".',
  ],
  [
    [{ name: 'a', expect: { status: 'complete' } }],
    'order.test.json, line 5: "status" of "expect" of case 1 ("a") must be "completed", "rejected" or "error", not "complete". | Did you mean "completed"?',
  ],
  [
    [{ name: 'a', expect: {} }],
    'order.test.json, line 4: "expect" of case 1 ("a") has no "status". | Use one of completed, rejected, error.',
  ],
  [
    [{ name: 'a', expect: { ...good.expect, call: [] } }],
    'order.test.json, line 6: "expect" of case 1 ("a") has an unknown key "call". | Did you mean "calls"?\nThe known keys are status, outputs, message, logs, calls.',
  ],
  [
    [{ name: 'a', expect: { ...good.expect, message: 3 } }],
    'order.test.json, line 6: "message" of "expect" of case 1 ("a") must be text such as "sold out", not a number.',
  ],
  [
    [{ name: 'a', expect: { ...good.expect, logs: 'x' } }],
    'order.test.json, line 6: "logs" of "expect" of case 1 ("a") must be a list of log lines, not text.',
  ],
  [
    [{ name: 'a', expect: { ...good.expect, calls: [{ method: 'get' }] } }],
    'order.test.json, line 8: "method" of item 1 of "calls" of "expect" of case 1 ("a") must be "GET", "PUT", "PATCH", "DELETE" or "POST", not "get". | Did you mean "GET"?',
  ],
  [
    [{ name: 'a', expect: { ...good.expect, calls: [{ attempt: '2' }] } }],
    'order.test.json, line 8: "attempt" of item 1 of "calls" of "expect" of case 1 ("a") must be a number.',
  ],
  [
    [{ ...good, mocks: { Stock: { get: { fail: -1 } } } }],
    `order.test.json, line 7: wf can't use "mocks" of case 1 ("a"): The mock answer Stock: "get" needs a whole number for "fail", such as { "fail": 2, "then": { "level": 4 } }.`,
  ],
  [
    [{ ...good, received: { header: {} } }],
    'order.test.json, line 8: "received" of case 1 ("a") has an unknown key "header". | Did you mean "headers"?\nThe known keys are by, id, headers, query, caller.',
  ],
  [
    [{ ...good, received: { headers: { 'X-Api-Key': 'x' } } }],
    'order.test.json, line 9: "X-Api-Key" of "headers" of "received" of case 1 ("a") is a credential, which no workflow sees. | Leave it out.',
  ],
  [
    [{ ...good, received: { query: { page: 2 } } }],
    'order.test.json, line 9: "page" of "query" of "received" of case 1 ("a") must be text such as "2", not a number.',
  ],
  [
    [{ ...good, messages: { payment: 'silence' } }],
    'order.test.json, line 8: "payment" of "messages" of case 1 ("a") must be the fields of the message, a list of messages, or "none" for silence, not text.',
  ],
  [
    [{ ...good, messages: { payment: { inTurn: [{ amount: 1 }] } } }],
    'order.test.json, line 8: "payment" of "messages" of case 1 ("a") has "inTurn", which is for mock answers. | Write several messages as a list: [{ … }, { … }].',
  ],
  [
    [{ ...good, messages: { payment: { after: 'soon', message: {} } } }],
    'order.test.json, line 9: "after" of "payment" of "messages" of case 1 ("a") is "soon", which is no amount of time. | For example "90 minutes", "3 days" or "2 working days".',
  ],
  [
    [{ ...good, messages: { payment: { afer: '1 day', message: {} } } }],
    'order.test.json, line 9: "payment" of "messages" of case 1 ("a") has an unknown key "afer". | Did you mean "after"?\nThe known keys are after, message.',
  ],
  [
    [{ ...good, messages: { payment: { after: '1 day', amount: 5 } } }],
    'order.test.json, line 10: "payment" of "messages" of case 1 ("a") has an unknown key "amount". | The known keys are after, message.',
  ],
  [
    [{ ...good, mocks: 'none.json' }],
    `order.test.json, line 7: wf can't use "mocks" of case 1 ("a"): none.json can't be read: it does not exist.`,
  ],
  [
    [{ ...good, mocks: 'broken.json' }],
    `order.test.json, line 7: wf can't use "mocks" of case 1 ("a"): broken.json: The mock answers for "Stock" must be an object with a key for each call, such as { "get stock": … }. | ${mocksForm}`,
  ],
];

for (const [content, message] of refusals) {
  test(`refuses a case file: ${message.slice(0, 80)}`, (context) => assert.equal(refusal(context, content), message));
}

test('reads a list, and a list under "cases" next to "$schema", alike', (context) => {
  const folder = folderWithData(context, { 'a.test.json': [good], 'b.test.json': { $schema: 'x', cases: [good] } });
  const [a, b] = ['a.wf', 'b.wf'].map((file) =>
    readCases(file, folder)?.cases.map(({ name, input, expect }) => ({ name, input, expect })),
  );
  assert.deepEqual(a, [{ name: 'a', input: {}, expect: { status: 'completed' } }]);
  assert.deepEqual(b, a);
  assert.equal(readCases('c.wf', folder), undefined);
});

test('mock answers of a file: each fault names the file', (context) => {
  const folder = folderWithData(context, {
    'text.json': 'level 4',
    'list.json': [],
    'latin.json': '{}',
    'ok.json': { $schema: 'x', Stock: { get: 4 } },
  });
  const message = (file: string): string => {
    try {
      return readMocks(file, folder).unused().join();
    } catch (error) {
      assert.ok(error instanceof UsageError);
      return error.message;
    }
  };
  assert.equal(message(''), '--mocks needs the path of a file with mock answers.');
  assert.equal(message('gone.json'), "gone.json can't be read: it does not exist.");
  assert.equal(message('.'), ".can't be read: it is a folder.".replace('.c', '. c'));
  assert.match(message('text.json'), /^text\.json, line 1, column 1: this is not valid JSON: /);
  assert.match(message('list.json'), /^list\.json: Mock answers must be an object/);
  assert.equal(message('ok.json'), 'Stock: "get"');
});

test('finds the line of any value, by its key or as an item', () => {
  const inside = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(inside, fc.infiniteStream(fc.nat()), (value, choices) => {
      // Descends randomly, and puts a marker at the end.
      const path: (string | number)[] = [];
      const marked = (inner: unknown): unknown => {
        const keys = typeof inner === 'object' && inner !== null ? Object.keys(inner) : [];
        const key = keys[Number(choices.next().value) % (keys.length + 1)];
        if (key === undefined || typeof inner !== 'object' || inner === null) return 'the marker';
        path.push(Array.isArray(inner) ? Number(key) : key);
        const copy: unknown = structuredClone(inner);
        Object.defineProperty(copy, key, { value: marked(Reflect.get(inner, key)), enumerable: true });
        return copy;
      };
      const text = JSON.stringify(marked(value), null, 2);
      const line = text.split('\n').findIndex((one) => one.includes('"the marker"')) + 1;
      assert.equal(lineOfPath(text, path), line);
    }),
  );
});

// `wf test --case`: which cases a name selects, and the message if it selects none.

const workflow = testFile('testing/files/number.wf');
const caseOf = (name: string, n = 1): object => ({ name, input: { n }, expect: { status: 'completed', outputs: { n: 1 } } });
const files = {
  'a.wf': workflow,
  'a.test.json': [caseOf('one'), caseOf('one more', 2), caseOf('Another')],
  'b.wf': workflow,
  'b.test.json': [caseOf('two')],
  'c.wf': workflow,
};

test('a whole name selects that case alone, a part all that contain it, in any case', async (context) => {
  const folder = folderWithData(context, files);
  assert.deepEqual(await wfTest(folder, ['a.wf'], { case: 'one' }), { exit: 0, out: '✓ one\n\n1 passed\n', err: '' });
  const { exit, out } = await wfTest(folder, ['a.wf'], { case: 'ON' });
  assert.equal(exit, 1);
  assert.match(out, /^✓ one\n✗ one more\n[\s\S]*\n1 passed, 1 failed\n$/);
  assert.match((await wfTest(folder, ['a.wf'], { case: 'ano' })).out, /^✓ Another\n\n1 passed\n$/);
});

test('in a folder, runs only workflows with such cases', async (context) => {
  const folder = folderWithData(context, files);
  assert.equal((await wfTest(folder, ['.'], { case: 'two' })).out, 'b.wf:\n✓ two\n\n1 passed, in 1 workflow\n');
  assert.match(
    (await wfTest(folder, ['.'], { case: 'o' })).out,
    /^a\.wf:\n[\s\S]*\nb\.wf:\n✓ two\n\n3 passed, 1 failed, in 2 workflows\n$/,
  );
});

test('one of several cases can write its log', async (context) => {
  const folder = folderWithData(context, files);
  assert.equal((await wfTest(folder, ['a.wf'], { case: 'Another', outputLog: 'log.json' })).exit, 0);
  assert.ok(existsSync(path.join(folder, 'log.json')));
});

const refused: [string, Values, RegExp, string | undefined][] = [
  ['a.wf', { case: 'onne' }, /^No case in a\.test\.json has "onne" in its name/, 'Did you mean "one"?'],
  ['a.wf', { case: 'x y z' }, /^No case in a\.test\.json/, 'The cases are "one", "one more", "Another".'],
  ['.', { case: 'x y z' }, /^No case has "x y z" in its name/, 'The cases are "one", "one more", "Another", "two".'],
  ['c.wf', { case: 'one' }, /^--case has no cases to choose from: there is no c\.test\.json\.$/, undefined],
  ['a.wf', { case: ' ' }, /^--case needs the name of a case/, undefined],
  ['a.wf', { case: 'one', dryRun: true }, /^--dry-run runs nothing, so --case has no case/, undefined],
];
for (const [target, values, message, hint] of refused) {
  test(`refuses wf test ${target} with ${JSON.stringify(values)}`, async (context) => {
    const folder = folderWithData(context, files);
    await assert.rejects(wfTest(folder, [target], values), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      assert.equal(error.hint, hint);
      return true;
    });
  });
}
