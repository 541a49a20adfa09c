// Requests to workflows with a store: they are kept as received, answered as the workflow says, recognized when repeated, and counted.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { receivedBy } from '../../runtime/run/received.js';
import { readRequest, storedRequest } from '../../src/durable/model/stored-run.js';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { createMetrics } from '../../src/server/metrics.js';
import { post, startServer } from '../server/test-server.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';
import { dropTemplate } from './test-database.js';
import { storeKinds, testStore } from './test-store.js';

after(dropTemplate);

test('a request and what was received are one text, whatever the request contains', () => {
  const received = receivedBy('http', { query: { page: '2' } });
  for (const request of [{}, { n: 1 }, { '\0received': { received: { by: 'forged' } } }, { '\0received': null }])
    for (const given of [received, undefined]) {
      assert.deepEqual(readRequest(storedRequest(request, given)), { request, received: given });
      assert.deepEqual(readRequest(storedRequest(request, given, 'a hash')), { request, received: given, version: 'a hash' });
    }
});

for (const kind of storeKinds) {
  test(`${kind}: what was received is the same after a restart and in a rerun, and no part of the request`, async (t) => {
    const { open, file, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const first = await open();
    await first.serve();
    const received = receivedBy('http', { query: { page: '2' }, id: 'my-id-7', at: new Date('2026-03-04T10:00:00Z') });
    const prepared = await file('single/received.wf');
    const started = await first.start({ prepared, request: { n: 7 }, options: { received } });
    assert.ok(started.kind === 'started');
    const { run } = started;
    await until(async () => (await first.state(run))?.status === 'waiting');
    await first.close(0);

    const second = await open();
    await second.serve();
    assert.deepEqual((await second.get(run))?.request, { n: 7 });
    await second.send({ name: 'go', body: {}, run });
    const wanted = { page: '2', by: 'http', at: '2026-03-04T10:00:00.000Z', id: 'my-id-7', n: 7 };
    assert.deepEqual((await second.settled(run, 'ended', 60_000))?.outputs, wanted);
    assert.equal((await second.retrace(run))?.doubt, undefined);
    const again = await second.rerun(run, { from: 'start', workflow: 'recorded' });
    assert.ok(again.kind === 'started');
    await second.send({ name: 'go', body: {}, run: again.run });
    assert.deepEqual((await second.settled(again.run, 'ended', 60_000))?.outputs, wanted);
  });
}

// `status` and `answer text` below `complete`: the answer over HTTP, without and with a store, also to a repeated request.

const ownAnswers = `config:
    name: "Own"
    version: 1

workflow:
    trigger: t

    if request.id is 1:
        complete with id request.id
            status 201
            answer text "made {request.id}, ü"
    if request.id is 2:
        complete
            status 204
    complete with id request.id
        status 203
`;

interface Got {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

for (const hasStore of [false, true])
  test(`answers as the workflow says, ${hasStore ? 'with' : 'without'} a store`, async (t) => {
    const folder = temporaryFolder(t, { 'own.wf': ownAnswers });
    const env = { HOME: folder, WF_CACHE: 'off' };
    const preparation = await prepare('own.wf', { cwd: folder, env });
    assert.ok(preparation.ok);
    const store = hasStore ? await openStore('runs', { env, cwd: folder }) : undefined;
    await store?.serve();
    t.after(() => store?.close(0));
    const { url } = await startServer(t, { workflows: [preparation.prepared], store, host: '127.0.0.1' });
    const post = async (id: number, key = ''): Promise<Got> => {
      const headers = {
        'content-type': 'application/json',
        connection: 'close',
        ...(key === '' ? {} : { 'idempotency-key': key }),
      };
      const response = await fetch(`${url}/own`, { method: 'POST', headers, body: JSON.stringify({ id }) });
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    };
    const made = { status: 201, type: 'text/plain; charset=utf-8', text: 'made 1, ü' };
    assert.deepEqual(await post(1), made);
    assert.deepEqual(await post(2), { status: 204, type: null, text: '' });
    const usual = '{"status":"completed","outputs":{"id":3}}';
    assert.deepEqual(await post(3), { status: 203, type: 'application/json; charset=utf-8', text: usual });
    if (!hasStore) return;
    assert.deepEqual([await post(1, 'k'), await post(1, 'k')], [made, made]);
    const { runs = [] } = (await store?.list({})) ?? {};
    const states = await Promise.all(runs.map(({ run }) => store?.state(run)));
    assert.deepEqual(states.map((state) => state?.answer?.status).sort(), [201, 201, 203, 204]);
  });

// Requests that are repeated with their Idempotency-Key after the inputs of the workflow have changed.

const textWith = (inputs: readonly string[]): string =>
  [
    'config:',
    '    name: "Price"',
    '    version: 1',
    '',
    'inputs:',
    ...inputs.map((input) => `    ${input}`),
    '',
    'services:',
    '    Ledger is an API at "{env.LEDGER_URL}"',
    '',
    'workflow:',
    '    trigger: t',
    '',
    '    send one using Ledger at "/1/1" with n request.n',
    '    complete with n request.n',
    '',
  ].join('\n');

for (const kind of storeKinds) {
  test(`a request is the same one whatever its workflow makes of it meanwhile (${kind})`, async (t) => {
    const { open, folder, env, ledger } = await testStore(t, kind);
    const priced = async (...inputs: string[]): Promise<Prepared> => {
      writeFileSync(path.join(folder, 'price.wf'), textWith(inputs));
      const found = await prepare('price.wf', { cwd: folder, env });
      return found.ok ? found.prepared : assert.fail(JSON.stringify(found.diagnostics));
    };
    const store = await open();
    const { app, url } = await startServer(t, { workflows: [await priced('n is a number')], env, store, host: '127.0.0.1' });
    const send = (n: number) => post(`${url}/price`, { n }, { 'idempotency-key': 'k' });
    const first = await send(1);
    assert.deepEqual([first.status, first.text], [200, '{"status":"completed","outputs":{"n":1}}']);
    const replayed = async (): Promise<void> => {
      const again = await send(1);
      assert.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [200, first.text, 'true']);
      assert.equal((await send(2)).status, 422);
    };
    await replayed();
    app.replace([await priced('n is a number', 'currency is a text, otherwise "EUR"')]);
    await replayed();
    app.replace([await priced('n is a number above 5')]);
    await replayed();
    const unfit = await post(`${url}/price`, { n: 1 }, { 'idempotency-key': 'other' });
    assert.deepEqual([unfit.status, Object.keys(unfit.json as object)], [400, ['error', 'hint', 'problems']]);
    const fit = await post(`${url}/price`, { n: 9 }, { 'idempotency-key': 'other' });
    assert.deepEqual([fit.status, ledger.received.length], [200, 2], 'a refusal keeps no key');
  });
}

// `runs at once:` with a store: a run whose client was answered with 202 counts until it ends, also after a restart.

const oneAtOnce = `config:
    name: "Slow"
    version: 1
    answer: accepted
    runs at once: 1

services:
    Slow is an API at "{env.SLOW}"

workflow:
    trigger: t

    get answer using Slow at "/{request.n}"
`;

test('the next request waits for the end of a run that was answered with 202, and the metrics say so', async (t) => {
  const held: [string, ServerResponse][] = [];
  const slow = createServer(({ url = '' }, response) => held.push([url, response]));
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  t.after(() => slow.close());
  const { folder, env, open } = await testStore(t);
  env.SLOW = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`; // a server that listens on TCP has such an address
  writeFileSync(path.join(folder, 'slow.wf'), oneAtOnce);
  const prepared = await prepare('slow.wf', { cwd: folder, env });
  assert.ok(prepared.ok, JSON.stringify(prepared));
  const metrics = await createMetrics(false);
  const store = await open();
  await store.serve();
  const { url } = await startServer(t, { workflows: [prepared.prepared], env, store, metrics, host: '127.0.0.1' });
  const inLine = async (): Promise<string | undefined> =>
    /^wf_runs_in_line\{workflow="slow"\} (\d+)$/m.exec((await metrics.render()).text)?.[1];
  const end = (): void => {
    const [, response] = held.at(-1) ?? assert.fail('Nothing was called.');
    response.setHeader('content-type', 'application/json').end('{}');
  };
  assert.equal((await post(`${url}/slow`, { n: 1 })).status, 202);
  await until(() => held.length === 1);
  const second = post(`${url}/slow`, { n: 2 });
  await until(async () => (await inLine()) === '1');
  assert.deepEqual(
    held.map(([called]) => called),
    ['/1'],
  );
  end();
  assert.equal((await second).status, 202);
  await until(() => held.length === 2);
  assert.equal(await inLine(), '0');
  // Another server continues that run, and it counts there as well.
  await store.close(0);
  const after = await open();
  const restarted = await startServer(t, { workflows: [prepared.prepared], env, store: after, metrics, host: '127.0.0.1' });
  await after.serve();
  await until(() => held.length === 3);
  const third = post(`${restarted.url}/slow`, { n: 3 });
  await until(async () => (await inLine()) === '1');
  assert.equal(held.length, 3);
  end();
  assert.equal((await third).status, 202);
  await until(() => held.length === 4);
  end();
});
