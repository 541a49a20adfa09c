// `--record`: a run against real services (a stub on this machine), replayed without them, ends the same. The file contains no secrets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Mocks, ServiceExchange } from '../../runtime/types.js';
import { createEngine } from '../../src/engine/engine.js';
import { readMocks } from '../../src/engine/files/mocks-file.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { prepareRecording } from '../../src/engine/records/recording.js';
import type { RunRecord } from '../../src/engine/records/run-record.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { folderWithData, sample } from './in-memory-io.js';

type Answer = readonly [status: number, body: unknown];
const completion = (result: string): Answer => [
  200,
  { choices: [{ message: { content: JSON.stringify({ result, confidence: 0.7 }) } }] },
];

/** Answers by path, each list in turn; the last one repeats. */
async function startStub(context: TestContext, routes: Readonly<Record<string, readonly Answer[]>>): Promise<string> {
  const asked = new Map<string, number>();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stub');
    const number = asked.get(pathname) ?? 0;
    asked.set(pathname, number + 1);
    const answers = routes[pathname] ?? [];
    const [status, body] = answers[Math.min(number, answers.length - 1)] ?? [404, 'no such route'];
    request
      .resume()
      .on('end', () =>
        response
          .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body)),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function run(
  env: Record<string, string>,
  request: { skus: string[] },
  mock: Mocks | false,
  onExchange: (exchange: ServiceExchange) => void = () => {},
): Promise<RunRecord> {
  const preparation = await prepare(sample('recorded.wf'), { cwd: '/', env: { WF_CACHE: 'off' } });
  assert.ok(preparation.ok);
  const engine = createEngine({ env, mock });
  const record = await engine.execute(preparation.prepared, request, { onExchange });
  await engine.close();
  return record;
}

test('replays retries, failures, changing answers, and an AI, without the services and without their key', async (context) => {
  const STUB_URL = await startStub(context, {
    '/stock/items/A1': [
      [503, 'busy'],
      [200, 4],
      [200, 5],
    ],
    '/stock/items/B2': [[404, { reason: 'unknown' }]],
    '/stock/items/C3': [[500, 'the key stub-secret-key is not known']],
    '/stock/orders': [[422, { problem: 'no date' }]],
    '/v1/chat/completions': [completion('two')],
    '/alerts': [[202, 'ok']],
  });
  const env = { STUB_URL, STUB_KEY: 'stub-secret-key', OPENAI_API_KEY: 'openai-secret-key', OPENAI_BASE_URL: `${STUB_URL}/v1` };
  const request = { skus: ['A1', 'B2', 'A1', 'C3'] };
  const folder = folderWithData(context, {});
  const recording = await prepareRecording('mocks.json', folder);
  const file = path.join(folder, 'mocks.json');
  assert.equal(existsSync(file), false);

  const real = await run(env, request, false, recording.onExchange);
  assert.deepEqual(
    real.outcome.outputs,
    { levels: [4, 404, 5, 500], orders: '{"problem":"no date"}', line: 'two', confidence: 0.7, told: 202 },
    real.outcome.message,
  );
  assert.deepEqual(await recording.save(real), { file });

  const text = readFileSync(file, 'utf8');
  assert.ok(!/stub-secret-key|openai-secret-key/.test(text), text);
  const mocks = readMocks('mocks.json', folder);
  const replayed = await run({}, request, mocks);
  assert.deepEqual(replayed.outcome.outputs, real.outcome.outputs);
  assert.deepEqual(mocks.unused(), []);
});

test('records a run that ends as error, and replays that error', async (context) => {
  const STUB_URL = await startStub(context, {
    '/stock/orders': [[200, []]],
    '/v1/chat/completions': [completion('none')],
    '/alerts': [[410, 'gone']],
  });
  const env = { STUB_URL, STUB_KEY: 'stub-secret-key', OPENAI_API_KEY: 'openai-secret-key', OPENAI_BASE_URL: `${STUB_URL}/v1` };
  const folder = folderWithData(context, {});
  const recording = await prepareRecording('mocks.json', folder);
  const real = await run(env, { skus: [] }, false, recording.onExchange);
  assert.equal(real.outcome.status, 'error');
  await recording.save(real);
  const replayed = await run({}, { skus: [] }, readMocks('mocks.json', folder));
  assert.equal(replayed.outcome.message, real.outcome.message);
  assert.deepEqual(replayed.outcome.error, real.outcome.error);
});

test('refuses a recording that cannot be written, before anything runs', async (context) => {
  const folder = folderWithData(context, { 'a.json': {} });
  const refusal = (given: string): Promise<string> =>
    prepareRecording(given, folder).then(
      () => 'accepted',
      (error: unknown) => (error instanceof UsageError ? error.message : String(error)),
    );
  assert.equal(await refusal(''), '--record needs a path.');
  assert.equal(await refusal('a\0b'), 'The path in --record contains a NUL character.');
  assert.equal(await refusal('.'), "The recording can't be written to .: it is a folder.");
  assert.equal(await refusal('new/folder/mocks.json'), 'accepted');
  assert.equal(await refusal('a.json/b.json'), "The recording can't be written to a.json/b.json: something else has that name.");
  assert.equal(await refusal('a.json'), 'accepted');
});

test('reports a recording that cannot be written at the end, and keeps what was there', async (context) => {
  const folder = folderWithData(context, { 'f/mocks.json': 'the one before' });
  const recording = await prepareRecording('f/mocks.json', folder);
  const real = await run({}, { skus: [] }, readMocks('f.json', folderWithData(context, { 'f.json': {} })), recording.onExchange);
  // Turn the folder into a file, because permissions don't stop a superuser.
  renameSync(path.join(folder, 'f'), path.join(folder, 'g'));
  writeFileSync(path.join(folder, 'f'), '');
  assert.deepEqual(await recording.save(real), {
    problem:
      'The recording could not be written to f/mocks.json: part of the path is a file, not a folder. The run ended as completed.',
  });
  assert.equal(readFileSync(path.join(folder, 'g/mocks.json'), 'utf8'), 'the one before');
});
