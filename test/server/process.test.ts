// `wf serve` from start to end: checks, output, exit codes.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test as nodeTest, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../temporary-folder.js';
import { echo } from './fake-workflow.js';
import { BROKEN, heldRequest, isServeProcess, type ServeProcess, type StartOptions, startProcess } from './serve-process.js';
import { post, rawClient, send, startServer } from './test-server.js';

const script = fileURLToPath(import.meta.url);
const test: typeof nodeTest | ((...args: unknown[]) => void) = isServeProcess ? () => undefined : nodeTest;

function folder(t: TestContext, files: Record<string, string>): string {
  const dir = temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

const start = (t: TestContext, cwd: string, more: Omit<StartOptions, 'cwd'> = {}): Promise<ServeProcess> =>
  startProcess(t, script, { cwd, ...more });

async function refuses(
  t: TestContext,
  cwd: string,
  more: Omit<StartOptions, 'cwd'>,
  exit: number,
  ...patterns: RegExp[]
): Promise<ServeProcess> {
  const process = await start(t, cwd, more);
  assert.equal(await process.ended, exit, process.stdout() + process.stderr());
  for (const pattern of patterns) assert.match(process.stderr(), pattern);
  assert.doesNotMatch(process.stderr(), / {4}at /);
  assert.doesNotMatch(process.stdout(), /Listening/);
  return process;
}

test('a folder: prints, serves, and ends cleanly', async (t: TestContext) => {
  const cwd = folder(t, {
    'order-review.wf': '1',
    'hello.wf': '2',
    'readme.txt': 'x',
    '.hidden.wf': BROKEN,
    'sub/deep.wf': BROKEN,
    'ü (1).wf': '3',
  });
  symlinkSync(path.join(cwd, 'hello.wf'), path.join(cwd, 'linked.wf'));
  const server = await start(t, cwd, { options: { verbose: true, authToken: 'token-of-the-test', cors: true, mock: true } });
  await server.said(/mock/);
  for (const line of [
    /^Listening on http:\/\/127\.0\.0\.1:\d+$/m,
    /^ {2}POST \/order-review +order-review v1$/m,
    /^ {2}POST \/hello +hello v1$/m,
    /^ {2}POST \/linked /m,
    /^ {2}POST \/%C3%BC%20\(1\) /m,
    /^Token: required$/m,
    /^CORS: all origins$/m,
  ]) {
    assert.match(server.stdout(), line);
  }
  assert.doesNotMatch(server.stdout() + server.stderr(), /token-of-the-test|hidden|deep|readme/);
  const headers = { authorization: 'Bearer token-of-the-test' };
  assert.equal((await post(`${server.url}/%C3%BC%20(1)`, {}, headers)).status, 200);
  assert.equal((await post(`${server.url}/nope?token=token-of-the-test`, {}, headers)).status, 404);
  await post(`${server.url}/hello`, { log: 'two\nlines \u001b[31m token-of-the-test' }, { ...headers, 'x-request-id': 'id-1' });
  await server.said(/hello 200/);
  assert.match(server.stdout(), /^[-\d]+ \S+Z id-1 log: two\\nlines \\u001b\[31m \[redacted\]$/m);
  assert.match(server.stdout(), /^[-\d]+ \S+Z id-1 POST \/hello 200 \d+ms completed$/m);
  assert.match(server.stdout(), /^[-\d]+ \S+Z \S+ POST \/nope 404 \d+ms$/m);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
});

test('--log-format json: every line is an object with time and level', async (t: TestContext) => {
  const cwd = folder(t, { 'hello.wf': '2' });
  const server = await start(t, cwd, {
    options: { verbose: true, logFormat: 'json', authToken: 'token-of-the-test', mock: true },
  });
  await server.said(/mock/);
  const headers = { authorization: 'Bearer token-of-the-test', 'x-request-id': 'id-1' };
  await post(`${server.url}/hello`, { log: 'two\n{"level":"forged"} token-of-the-test' }, headers);
  await server.said(/"outcome"/);
  const lines = server.stdout().trimEnd().split('\n');
  const objects = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.ok(objects.every(({ time, level }) => level === 'info' && !Number.isNaN(Date.parse(String(time)))));
  const [logged, answered] = objects.filter(({ request }) => request === 'id-1');
  assert.equal(logged?.message, 'two\n{"level":"forged"} [redacted]');
  assert.deepEqual([logged?.workflow, logged?.run], ['hello', undefined]);
  const { method, path: address, status, outcome, durationMs } = answered ?? {};
  assert.deepEqual([method, address, status, outcome, typeof durationMs], ['POST', '/hello', 200, 'completed', 'number']);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
  await refuses(t, cwd, { options: { logFormat: 'xml' } }, 2, /--log-format must be text or json/);
});

test('a single file; Ctrl+C lets its run finish', async (t: TestContext) => {
  const cwd = folder(t, { 'a.wf': '1', 'b.wf': BROKEN });
  const server = await start(t, cwd, { target: 'a.wf' });
  assert.match(server.stdout(), /POST \/ {3}a v1/);
  const idle = await rawClient(t, Number(new URL(server.url).port));
  idle.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await idle.until(/ok/);
  const { request, release } = heldRequest(t);
  const running = post(server.url, request);
  await server.said(/log: held/);
  server.child.kill('SIGINT');
  await idle.closed;
  await server.said(/Stopping/);
  assert.equal((await send(`${server.url}/health`)).status, 503);
  release();
  assert.equal((await running).status, 200);
  assert.equal(await server.ended, 0);
});

test('a second signal ends it immediately, with 130', async (t: TestContext) => {
  const server = await start(t, folder(t, { 'a.wf': '1' }), { target: 'a.wf' });
  const running = post(server.url, heldRequest(t).request).catch(() => 'cut off');
  await server.said(/log: held/);
  server.child.kill('SIGTERM');
  await server.said(/Stopping\. Runs in progress: 1/);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 130);
  assert.equal(await running, 'cut off');
});

test('a further signal after the last answer cuts nothing short: the end stays clean', async (t: TestContext) => {
  const server = await start(t, folder(t, { 'a.wf': '1' }), { target: 'a.wf' });
  // An unfinished request keeps the server up for a while after its last run.
  const slow = await rawClient(t, Number(new URL(server.url).port));
  slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
  const { request, release } = heldRequest(t);
  const running = post(server.url, request);
  await server.said(/log: held/);
  server.child.kill('SIGTERM');
  // The first signal has arrived. On a busy machine, both could otherwise arrive at once, which is another case.
  await server.said(/Stopping/);
  release();
  assert.equal((await running).status, 200);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
});

test('does not listen if a file has errors, and shows all of them', async (t: TestContext) => {
  const cwd = folder(t, { 'a.wf': '1', 'b.wf': BROKEN, 'c.wf': BROKEN });
  await refuses(t, cwd, {}, 1, /Error in b\.wf, line 3/, /Error in c\.wf, line 3/, /2 errors in 2 files/);
});

test('reports what cannot be served in a sentence, with exit code 2', async (t: TestContext) => {
  const cwd = folder(t, {
    'a.wf': '1',
    'empty/x.txt': '',
    'own/health.wf': '1',
    'own2/openapi.json.wf': '1',
    'own3/metrics.wf': '1',
  });
  await refuses(t, cwd, { target: 'empty' }, 2, /The folder empty contains no \.wf files/);
  await refuses(t, cwd, { target: 'nope.wf' }, 2, /wf can't serve nope\.wf: it does not exist/);
  await refuses(t, cwd, { target: 'empty/x.txt' }, 2, /neither a \.wf file nor a built module/);
  for (const name of ['own', 'own2', 'own3']) await refuses(t, cwd, { target: name }, 2, /the server uses the path \/\S+ itself/);
  await refuses(t, cwd, { options: { authToken: '' } }, 2, /token in --auth-token is empty/);
  await refuses(t, cwd, { env: { WF_AUTH_TOKEN: '' } }, 2, /token in WF_AUTH_TOKEN is empty/);
  await refuses(t, cwd, { options: { port: 'abc' } }, 2, /^--port must be a whole number from 0 to 65535, not "abc"\.$/m);
  await refuses(t, cwd, { options: { mocks: 'm.json' } }, 2, /m\.json cannot be read/);
  const { port } = await startServer(t, { workflows: [echo()] });
  await refuses(t, cwd, { options: { port: String(port) } }, 2, new RegExp(`^Port ${port} is already in use\\. .+\\.$`, 'm'));
  await refuses(
    t,
    cwd,
    { options: { port: String(port), workers: '2' } },
    2,
    new RegExp(`^Port ${port} is already in use\\. .+\\.$`, 'm'),
  );
});

test('--strict-env lists what is missing and does not listen', async (t: TestContext) => {
  const cwd = folder(t, { 'a.wf': '1' });
  await refuses(t, cwd, { options: { strictEnv: true } }, 1, /NEEDED/);
  const server = await start(t, cwd, { options: { strictEnv: true }, env: { NEEDED: 'x' } });
  assert.match(server.stdout(), /Listening/);
});

test('serves the modules of a built folder', async (t: TestContext) => {
  const cwd = folder(t, { 'dist-wf/manifest.json': '{}', 'dist-wf/a.mjs': '1', 'dist-wf/a.mjs.map': '{}', 'plain/x.mjs': '1' });
  const server = await start(t, cwd, { target: 'dist-wf' });
  assert.match(server.stdout(), /POST \/a /);
  await refuses(t, cwd, { target: 'plain' }, 2, /contains no \.wf files/);
});

test('--watch swaps in changes without dropping a run; a broken file keeps the old version', async (t: TestContext) => {
  const cwd = folder(t, { 'a.wf': 'one', 'b.wf': 'stays' });
  const server = await start(t, cwd, { options: { watch: true } });
  const text = async (name: string): Promise<unknown> =>
    ((await post(`${server.url}/${name}`, {})).json as { outputs?: { text: string } }).outputs?.text;
  assert.equal(await text('a'), 'one');
  const { request, release } = heldRequest(t);
  const running = post(`${server.url}/a`, request);
  await server.said(/log: held/);
  writeFileSync(path.join(cwd, 'a.wf'), 'two');
  await server.said(/a\.wf changed/);
  assert.equal(await text('a'), 'two');
  release();
  assert.match((await running).text, /"text":"one"/);
  writeFileSync(path.join(cwd, 'a.wf'), BROKEN);
  await server.said(/Error in a\.wf, line 3[\s\S]*a\.wf has errors; still serving its last valid version/);
  assert.equal(await text('a'), 'two');
  writeFileSync(path.join(cwd, 'c.wf'), 'new');
  await server.said(/Now serving c\.wf/);
  assert.equal(await text('c'), 'new');
  rmSync(path.join(cwd, 'b.wf'));
  await server.said(/b\.wf is gone/);
  assert.equal((await post(`${server.url}/b`, {})).status, 404);
  writeFileSync(path.join(cwd, 'health.wf'), 'x');
  await server.said(/wf can't serve health\.wf.*stay in place/);
  assert.equal(await text('a'), 'two');
  for (const name of ['a.wf', 'c.wf', 'health.wf']) rmSync(path.join(cwd, name));
  await server.said(/contains no \.wf files\. The current workflows stay in place/);
  assert.equal(await text('a'), 'two');
  assert.doesNotMatch(server.stderr(), /can't be loaded/);
});
