// `runs at once:` with a store: a run whose client was answered with 202 counts until it ends, also after a restart.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { createMetrics } from '../../src/server/metrics.js';
import { post, startServer } from '../server/test-server.js';
import { until } from '../until.js';
import { kept } from './kept.js';

const text = `config:
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
  const { folder, env, open } = await kept(t);
  env.SLOW = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`; // a server that listens on TCP has such an address
  writeFileSync(path.join(folder, 'slow.wf'), text);
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
