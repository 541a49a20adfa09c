// What the console says after a change, by what has become of the run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startConsole } from './console-server.js';

import { sampleId } from './sample-runs.js';
import { fullStore } from './sample-store.js';
import { webClient } from './web-client.js';

for (const [action, id, status, said] of [
  ['cancel', sampleId(2), 'running', 'The run will be cancelled as soon as its process answers.'],
  ['cancel', sampleId(2), 'cancelled', 'The run is cancelled.'],
  ['resume', sampleId(10), 'stuck', 'The run tried again and is stuck again.'],
  ['resume', sampleId(10), 'running', 'The run tries again.'],
] as const) {
  test(`after ${action}, of a run that is ${status} then: "${said}"`, async (t) => {
    const store = fullStore(12);
    const detail = (await store.get(id)) ?? assert.fail('there is no such run');
    store[action] = async () => ({ kind: 'done', state: { ...detail, status } });
    const { url, close } = await startConsole({ store });
    t.after(close);
    const client = webClient(url);
    // The page with the form.
    await client.get(`/console/runs/${id}${action === 'cancel' ? '/cancel' : ''}`);
    const changed = await client.post(`/console/runs/${id}/${action}`);
    assert.equal(changed.status, 303, changed.text);
    const { text } = await client.get(changed.headers.get('location') ?? '');
    assert.ok(text.includes(`<p class="notice" role="status">${said}</p>`), text.match(/<p class="notice.*?<\/p>/)?.[0]);
  });
}
