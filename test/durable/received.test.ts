// What a run sees as `received` is stored with it: the same after its process died, in a rerun, and when it is shown. In both kinds of stores.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { receivedBy } from '../../runtime/run/received.js';
import { readRequest, storedRequest } from '../../src/durable/model/stored-run.js';
import { until } from '../until.js';
import { kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

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
    const { open, file, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const first = await open();
    await first.serve();
    const received = receivedBy('http', { query: { page: '2' }, id: 'my-id-7', at: new Date('2026-03-04T10:00:00Z') });
    const prepared = await file('kept/received.wf');
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
