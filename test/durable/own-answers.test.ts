// `status` and `answer text` below `complete`: the answer over HTTP, without and with a store, also to a repeated request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { startServer } from '../server/test-server.js';
import { temporaryFolder } from '../temporary-folder.js';

const text = `config:
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
    const folder = temporaryFolder(t, { 'own.wf': text });
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
