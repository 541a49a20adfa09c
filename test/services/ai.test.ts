import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../../runtime/in-turns.js';
import { readAiAnswer } from '../../runtime/services/ai-answer.js';
import type { CallRequest, ServiceSpec } from '../../runtime/types.js';
import { processorTime, slowness } from '../processor-time.js';
import { entriesOf, type StubAnswer, scene } from './stub.js';

const readAnswer = (said: string) => atOnce(readAiAnswer(said));

const openai: ServiceSpec = { name: 'Bot', kind: 'ai', provider: 'openai', model: ['gpt-4o-mini'] };
const anthropic: ServiceSpec = { name: 'Bot', kind: 'ai', provider: 'anthropic', model: ['claude-sonnet-4-5'] };
const ollama: ServiceSpec = { name: 'Bot', kind: 'ai', provider: 'ollama', model: ['llama3'] };
const chat = (content: unknown, more: object = {}): StubAnswer => ({
  json: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, ...more }] },
});
const request: Partial<CallRequest> = {
  instruction: 'classify: my invoice',
  parameters: [
    ['customer', 'Ada'],
    ['items', [1, { a: 2 }]],
  ],
};

test('OpenAI', () =>
  scene({ 'POST /v1/chat/completions': chat('{"result":"billing","confidence":0.93}') }, async ({ stub, call }) => {
    const outcome = await call(openai, { env: { OPENAI_API_KEY: 'sk-test-1', OPENAI_BASE_URL: `${stub.url}/v1/` }, request });
    assert.deepEqual([outcome.outputs?.value, outcome.outputs?.confidence], ['billing', 0.93]);
    const [seen] = stub.seen;
    assert.equal(seen?.headers.authorization, 'Bearer sk-test-1');
    const body = JSON.parse(seen?.body ?? '');
    assert.equal(body.model, 'gpt-4o-mini');
    assert.equal(body.messages.at(-1).content, 'classify: my invoice\n\nContext:\ncustomer: Ada\nitems: [1,{"a":2}]');
    assert.deepEqual(body.response_format.json_schema.schema.required, ['result', 'confidence']);
  }));

test('Anthropic', () =>
  scene(
    {
      'POST /v1/messages': {
        json: {
          content: [
            { type: 'text', text: 'not json ' },
            { type: 'text', text: 'at all' },
          ],
          stop_reason: 'end_turn',
        },
      },
    },
    async ({ stub, call }) => {
      for (const base of [stub.url, `${stub.url}/v1`]) {
        const outcome = await call(anthropic, { env: { ANTHROPIC_API_KEY: 'sk-ant-1', ANTHROPIC_BASE_URL: base }, request });
        assert.deepEqual([outcome.outputs?.value, outcome.outputs?.confidence], ['not json at all', 0.5]);
      }
      const [seen] = stub.seen;
      assert.deepEqual([seen?.headers['x-api-key'], seen?.headers['anthropic-version']], ['sk-ant-1', '2023-06-01']);
      const body = JSON.parse(seen?.body ?? '');
      assert.equal(body.model, 'claude-sonnet-4-5');
      assert.match(body.messages[0].content, /customer: Ada/);
      assert.ok(body.max_tokens > 0);
    },
  ));

test('Ollama, at a bare host and port, without a key', () =>
  scene({ 'POST /v1/chat/completions': chat('{"result":{"a":[1]},"confidence":7}') }, async ({ stub, call }) => {
    const outcome = await call(ollama, { env: { OLLAMA_HOST: stub.url.replace('http://', '') }, request });
    assert.deepEqual([outcome.outputs?.value, outcome.outputs?.confidence], [{ a: [1] }, 1]);
    assert.equal(stub.seen[0]?.headers.authorization, undefined);
  }));

test('names a missing key, and sends nothing', () =>
  scene({}, async ({ stub, call }) => {
    for (const [service, name] of [
      [openai, 'OPENAI_API_KEY'],
      [anthropic, 'ANTHROPIC_API_KEY'],
    ] as const) {
      const outcome = await call(service, { env: { OPENAI_BASE_URL: stub.url, ANTHROPIC_BASE_URL: stub.url } });
      assert.equal(
        outcome.message,
        `Bot: ask was not sent: it needs the environment variable ${name}, which is missing or empty.`,
      );
    }
    const wrong = await call(openai, { env: { OPENAI_API_KEY: 'sk-test-1', OPENAI_BASE_URL: 'api.example' } });
    assert.match(wrong.message ?? '', /OPENAI_BASE_URL/);
    assert.deepEqual(stub.seen, []);
  }));

const silent: [string, StubAnswer, RegExp, RegExp][] = [
  [
    'a refusal',
    chat(null, { message: { content: null, refusal: 'I cannot help with that.' } }),
    /it refused to answer/,
    /I cannot help/,
  ],
  [
    'an error with status 200',
    { json: { error: { message: `no such model for sk-test-1 ${'x'.repeat(400)}` } } },
    /error instead of text/,
    /^no such model for \[redacted\] x+$/,
  ],
  ['a content filter', chat('', { finish_reason: 'content_filter' }), /content filter/, /^$/],
  ['no choices', { json: { choices: [] } }, /contains no text/, /^$/],
  ['a text instead of JSON', { text: 'hello' }, /contains no text/, /^$/],
  [
    'a failing status',
    { status: 401, json: { error: { message: 'Incorrect API key provided: sk-test-1' } } },
    /status 401 \(Unauthorized\)/,
    /Incorrect API key provided: \[redacted\]/,
  ],
];
for (const [title, answer, message, body] of silent) {
  test(`${title} is a failure; the words of the provider are only in its body`, () =>
    scene({ 'POST *': answer }, async ({ stub, call }) => {
      const outcome = await call(openai, {
        env: { OPENAI_API_KEY: 'sk-test-1', OPENAI_BASE_URL: stub.url },
        request: { ...request, handled: true },
      });
      const failure = outcome.outputs?.failure as Record<string, unknown>;
      assert.match(String(failure.message), message);
      assert.match(String(failure.message), /^Bot: ask failed after 1 attempt: /);
      assert.match(String(failure.body), body);
      assert.ok(String(failure.body).length <= 300);
    }));
}

test('logs an answer that was cut off', () =>
  scene({ 'POST *': chat('{"result":"abc', { finish_reason: 'length' }) }, async ({ stub, call }) => {
    const outcome = await call(openai, { env: { OPENAI_API_KEY: 'sk-test-1', OPENAI_BASE_URL: stub.url }, request });
    assert.equal(outcome.outputs?.value, '{"result":"abc');
    assert.match(String(entriesOf(outcome, 'warning')[0]?.message), /Bot was cut off/);
  }));

test('finds JSON in a fence, in prose, with strange confidence', () => {
  const fence = '```json\n{"result": "a}b\\"{", "confidence": "0.7"}\n```';
  assert.deepEqual(readAnswer(fence), { result: 'a}b"{', confidence: 0.7 });
  assert.deepEqual(readAnswer('Sure {ok}! {"x":1} {"confidence":-3,"result":[1]} bye'), { result: [1], confidence: 0 });
  assert.deepEqual(readAnswer('{"result":null}'), { result: null, confidence: 0.5 });
  assert.deepEqual(readAnswer('{"result":1,"confidence":"high"}'), { result: 1, confidence: 0.5 });
  assert.deepEqual(readAnswer('{"answer":1}'), { result: '{"answer":1}', confidence: 0.5 });
  assert.deepEqual(readAnswer('{"__proto__":{"result":1}}').confidence, 0.5);
  assert.deepEqual(readAnswer('<think>{"result":0}?\n</think>\n\n{"result":1,"confidence":1}'), { result: 1, confidence: 1 });
  assert.deepEqual(readAnswer('<think>yes?</think>\nno').result, 'no');
});

test('any text becomes an answer, quickly', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { confidence } = readAnswer(text);
      return confidence >= 0 && confidence <= 1;
    }),
  );
  const took = processorTime();
  readAnswer('{'.repeat(200_000));
  assert.ok(took() < 2000 * slowness());
});
