import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor } from '../../runtime/run/redaction.js';
import { type GivenMocks, mocksFromJson } from '../../runtime/services/given-mocks.js';
import { standardMocks } from '../../runtime/services/mock.js';
import type { MockCall, ServiceKind, Value, WfRecord } from '../../runtime/types.js';
import { recordMocks } from '../../src/engine/records/recording.js';
import { processorTime, slowness } from '../processor-time.js';
import { api, callOnce, entriesOf, scene } from './stub.js';

// As in a file; in code, an object with a `then` would be mistaken for a promise.
const json = (text: string): Value => JSON.parse(text);

const callOf = (kind: ServiceKind, verb: string, description = '', more: Partial<MockCall> = {}): MockCall => ({
  service: { name: 'Stock', kind },
  verb,
  description,
  method: 'GET',
  parameters: {},
  ...more,
});
const standard = (call: MockCall): Value => {
  const answer = standardMocks().answer(call);
  return answer.ok ? answer.value : assert.fail('a standard answer succeeds');
};

test('an API echoes the pairs; the same call gets the same id, another call another', () => {
  const call = callOf('api', 'create', 'item', { parameters: { name: 'x', list: [1] } });
  const answer = standard(call) as WfRecord;
  assert.deepEqual({ ...answer, id: '' }, { id: '', status: 'ok', name: 'x', list: [1], mock: true });
  assert.match(String(answer.id), /^mock-[0-9a-f]{8}$/);
  assert.deepEqual(standard(call), answer);
  for (const other of [{ parameters: {} }, { path: '/a' }, { verb: 'add' }])
    assert.notEqual((standard({ ...call, ...other }) as WfRecord).id, answer.id);
  assert.deepEqual(standard(callOf('plugin', 'get', '', { parameters: { id: 7, status: 'paid' } })), {
    id: 7,
    status: 'paid',
    mock: true,
  });
});

test('a verb and phrase that ask for several get a list of two', () => {
  for (const [verb, phrase] of [
    ['list', 'orders'],
    ['find', 'open orders of customer'],
    ['search', 'People'],
  ] as const) {
    const list = standard(callOf('api', verb, phrase)) as WfRecord[];
    assert.equal(list.length, 2, phrase);
    assert.notEqual(list[0]?.id, list[1]?.id);
  }
  for (const [verb, phrase] of [
    ['get', 'orders'],
    ['find', 'order'],
    ['find', 'user by names'],
    ['search', 'address'],
    ['list', ''],
    ['find', 'status'],
  ] as const) {
    assert.ok(!Array.isArray(standard(callOf('api', verb, phrase))), phrase);
  }
});

test('answers for a webhook and an AI', () => {
  assert.deepEqual(standardMocks().answer(callOf('webhook', 'send')), {
    ok: true,
    value: { ok: true },
    status: 200,
    headers: { 'content-type': 'application/json' },
  });
  const ai = standardMocks().answer(callOf('ai', 'ask', '', { instruction: 'name a fruit' }));
  assert.ok(ai.ok);
  assert.deepEqual([ai.value, ai.confidence], ['mock answer to: name a fruit', 0.85]);
});

test('nothing leaves the machine, nothing waits, and the log says what would have been sent', async () => {
  const took = processorTime();
  const transport = () => assert.fail('a socket would have been opened');
  const mocks = given(json('{"Api": {"get": {"fail": 2, "then": 5}}}'));
  const request = {
    path: ['/a/', { name: 'x', value: 'b c' }],
    parameters: [['q', 1]],
    retry: { times: 3, waitMs: 60_000 },
  } as const;
  const outcome = await callOnce(api, {
    mock: mocks,
    transport,
    fetch: transport,
    request: { ...request, path: [...request.path] },
  });
  assert.equal(outcome.outputs?.value, 5);
  assert.ok(took() < 5_000 * slowness());
  assert.deepEqual(
    entriesOf(outcome, 'retry').map(({ waitMs }) => waitMs),
    [60_000, 60_000],
  );
  assert.equal(entriesOf(outcome, 'call')[2]?.url, '{env.STUB_URL}/v1/a/b%20c?q=1');
  const plugin = await callOnce({ name: 'L', kind: 'plugin', module: 'x' }, { mock: true, loadPlugin: transport });
  const bot = await callOnce(
    { name: 'B', kind: 'ai', provider: 'openai', model: ['m'] },
    { mock: true, transport, request: { instruction: 'hi' } },
  );
  assert.deepEqual([plugin.status, bot.outputs?.confidence], ['completed', 0.85]);
});

test('a call that could not really be sent fails here, too', async () => {
  const outcome = await callOnce(api, { mock: true, request: { path: ['/a/', { name: 'request.id', value: null }] } });
  assert.equal(outcome.error?.code, 'WF653');
});

function given(file: Value): GivenMocks {
  const parsed = mocksFromJson(file);
  return parsed.ok ? parsed.mocks : assert.fail(parsed.message);
}

test('answers by phrase with path, phrase, path, verb and instruction, the most exact first', () => {
  const mocks = given({ Stock: { 'get stock /items/A1': 1, 'get stock': 2, '/items/B2': 3, get: 4, 'name a fruit': 5 } });
  const ask = (call: MockCall): Value => {
    const answer = mocks.answer(call);
    return answer.ok ? answer.value : undefined;
  };
  assert.equal(ask(callOf('api', 'get', 'stock', { path: '/items/A1' })), 1);
  assert.equal(ask(callOf('api', 'get', 'stock', { path: '/items/C' })), 2);
  assert.equal(ask(callOf('api', 'get', 'thing', { path: '/items/B2?x=1' })), 3);
  assert.equal(ask(callOf('api', 'get', 'other')), 4);
  assert.equal(ask(callOf('ai', 'ask', '', { instruction: 'name a fruit' })), 5);
  assert.deepEqual(ask(callOf('webhook', 'send')), { ok: true });
  assert.deepEqual(mocks.unused(), []);
});

test('finds a path with and without its slash, its query, and the encoding of its values', () => {
  for (const path of ['/items/A%201?x=1', 'items/A%201?x=1']) {
    for (const key of ['/items/A%201?x=1', '/items/A%201', 'items/A 1', 'get it items/A 1', 'get it /items/A%201?x=1']) {
      const mocks = given({ Stock: { [key]: 7 } });
      mocks.answer(callOf('api', 'get', 'it', { path }));
      assert.deepEqual(mocks.unused(), [], `${path} by ${key}`);
    }
  }
});

test('header names are in lower case, and the default answer follows failures unless the file has another', () => {
  const mocks = given(json('{"Stock": {"a": {"status": 200, "headers": {"X-Limit": 5}}, "b": {"fail": 1}}}'));
  const answer = mocks.answer(callOf('api', 'a'));
  assert.deepEqual(answer.ok && answer.headers, { 'x-limit': 5 });
  assert.equal(mocks.answer(callOf('api', 'b')).ok, false);
  assert.deepEqual(mocks.answer(callOf('api', 'b')), standardMocks().answer(callOf('api', 'b')));
});

test('never shows user and password of an address, even if nothing is called', async () => {
  const outcome = await callOnce({ ...api, url: ['https://ada:pw@stock.invalid/v1'] }, { mock: true, request: { path: ['/x'] } });
  assert.equal(entriesOf(outcome, 'call')[0]?.url, 'https://ada:[redacted]@stock.invalid/v1/x');
});

test('the query of the address of a service follows the path, as in real calls', async () => {
  const outcome = await callOnce(
    { ...api, url: ['https://stock.invalid/v1/?key=', { env: 'API_KEY' }, '#top'] },
    { mock: true, request: { path: ['/x?a=1'], parameters: [['b', 2]] } },
  );
  assert.equal(entriesOf(outcome, 'call')[0]?.url, 'https://stock.invalid/v1/x?key={env.API_KEY}&a=1&b=2');
});

test('forms: status, fail and then, error, in turn, and what only looks like one', () => {
  const mocks = given({
    Stock: {
      a: { status: 503, body: { why: 'busy' } },
      b: json('{"fail": 1, "then": {"inTurn": [1, {"error": "connection refused"}]}}'),
      c: { status: 'paid' },
      d: { status: 7 },
      e: { status: 201, value: { status: 404 }, headers: { 'x-a': '1' } },
      f: { error: 'x', code: 1 },
      g: { status: 404, id: 1 },
      h: { status: 422 },
    },
  });
  const ask = (verb: string) => mocks.answer(callOf('api', verb));
  assert.deepEqual(ask('a'), { ok: false, message: 'status 503', status: 503, retryable: true, body: '{"why":"busy"}' });
  const turns = [ask('b'), ask('b'), ask('b'), ask('b')].map((answer) => (answer.ok ? answer.value : answer.message));
  assert.deepEqual(turns, ['status 503', 1, 'connection refused', 'connection refused']);
  for (const verb of ['c', 'd', 'f', 'g']) assert.ok(ask(verb).ok, verb);
  assert.deepEqual(ask('e'), { ok: true, value: { status: 404 }, status: 201, headers: { 'x-a': '1' } });
  assert.deepEqual(ask('h'), { ok: false, message: 'status 422', status: 422, retryable: false });
});

test('an AI is answered with a text, or with result and confidence', () => {
  const mocks = given({
    Stock: { ask: { inTurn: ['nice', { result: { a: 1 }, confidence: 0.2 }, { result: 1 }, { other: 1 }] } },
  });
  const answers = Array.from({ length: 4 }, () => mocks.answer(callOf('ai', 'ask')));
  assert.deepEqual(
    answers.map((answer) => (answer.ok ? [answer.value, answer.confidence] : [])),
    [
      ['nice', 0.85],
      [{ a: 1 }, 0.2],
      [1, 0.85],
      [{ other: 1 }, 0.85],
    ],
  );
});

test('names unused answers', () => {
  const mocks = given({ Stock: { 'get stock': 1, 'get stokc': 2 }, Nobody: { x: 1 } });
  mocks.answer(callOf('api', 'get', 'stock'));
  assert.deepEqual(mocks.unused(), ['Stock: "get stokc"', 'Nobody: "x"']);
  assert.deepEqual(mocks.services(), ['Stock', 'Nobody']);
  assert.deepEqual(mocks.warnings('Stock'), ['the mock answer Stock: "get stokc" was never used.']);
  mocks.answer(callOf('api', 'count', 'stock', { path: '/items/A%201' }));
  assert.deepEqual(mocks.warnings('Stock'), [
    'the mock answer Stock: "get stokc" was never used. These calls of Stock matched no answer: "count stock /items/A%201".',
  ]);
});

const wrong: [Value, RegExp][] = [
  [[], /must be an object with a key for each service/],
  [null, /must be an object/],
  [{ Stock: [1] }, /"Stock" must be an object/],
  [json('{"Stock": {"a": {"fail": -1, "then": 1}}}'), /Stock: "a" needs a whole number for "fail"/],
  [{ Stock: { a: { inTurn: [] } } }, /at least one answer/],
  [{ Stock: { a: { error: 5 } } }, /"error" that is not text/],
  [{ Stock: { a: { status: 200, headers: 1 } } }, /"headers" that are not an object/],
];
for (const [file, pattern] of wrong) {
  test(`refuses ${JSON.stringify(file)}`, () => {
    const parsed = mocksFromJson(file);
    assert.match(parsed.ok ? '' : parsed.message, pattern);
  });
}

test('keys like __proto__ and constructor are keys', () => {
  const mocks = given(json('{"__proto__": {"get": 1}, "constructor": {"get": 2}}'));
  assert.deepEqual((standard(callOf('api', 'get')) as WfRecord).mock, true);
  assert.equal(mocks.unused().length, 2);
  const answer = mocks.answer({ ...callOf('api', 'get'), service: { name: 'constructor', kind: 'api' } });
  assert.ok(answer.ok && answer.value === 2);
});

test('a recording replays: values, failures, repeated calls, secrets redacted', () =>
  scene(
    {
      'GET /v1/a': [{ status: 500, text: 'down' }, { json: { status: 404, body: 'k-123456' } }, { json: 2 }, { json: 2 }],
      'POST /v1/b': { status: 201, json: 1 },
    },
    async ({ call }) => {
      const recorder = recordMocks();
      const requests = [
        { path: ['/a'], retry: { times: 1, waitMs: 0 } },
        { path: ['/a'] },
        { path: ['/a'] },
        { path: ['/b'], verb: 'create' },
      ];
      const first = [];
      for (const request of requests) first.push((await call(api, { request, onExchange: recorder.onExchange })).outputs);
      const file = recorder.recorded(createRedactor(['k-123456']));
      assert.deepEqual(file, {
        Api: {
          'get it /a': {
            inTurn: [{ status: 500, body: 'down' }, { status: 200, value: { status: 404, body: '[redacted]' } }, 2],
          },
          'create it /b': { status: 201, value: 1 },
        },
      });
      const mock = given(JSON.parse(JSON.stringify(file)));
      const second = [];
      for (const request of requests) second.push((await callOnce(api, { mock, request })).outputs?.value);
      assert.deepEqual(second, [{ status: 404, body: '[redacted]' }, 2, 2, 1]);
      assert.equal(first.length, 4);
      assert.deepEqual(mock.unused(), []);
    },
  ));

test('a recording keeps response headers for the calls that save them', () =>
  scene({ 'GET /v1/a': { json: 1, headers: { 'x-limit': '5', 'set-cookie': ['sid=abcdef'] } } }, async ({ call }) => {
    const recorder = recordMocks();
    const path = ['/a'];
    const { onExchange } = recorder;
    const real = await call(api, { request: { path, savesHeaders: true }, onExchange });
    await call(api, { request: { path, description: 'other' }, onExchange });
    const file = recorder.recorded(createRedactor(['sid=abcdef']));
    const { 'get other /a': other } = file.Api as WfRecord;
    assert.equal(other, 1);
    const replayed = await callOnce(api, { mock: given(JSON.parse(JSON.stringify(file))), request: { path } });
    assert.deepEqual(replayed.outputs, {
      ...real.outputs,
      headers: { ...(real.outputs?.headers as WfRecord), 'set-cookie': ['[redacted]'] },
    });
  }));

test('replays any answered value unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (any) => {
      // JSON's values are the language's.
      const value = any as Value;
      const recorder = recordMocks();
      const call = callOf('api', 'get', 'it');
      recorder.onExchange({ call, result: { ok: true, value, status: 200 } });
      const answer = given(recorder.recorded(createRedactor([]))).answer(call);
      assert.ok(answer.ok);
      assert.deepEqual(answer.value, value);
    }),
  );
});
