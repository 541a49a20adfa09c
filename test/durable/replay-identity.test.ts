// What identifies an effect for replay is data of its own. The wording of titles, which people see, may change between versions of wf.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { isSameCallSite } from '../../src/durable/model/versions.js';
import { LAST_WITHOUT_SUMS } from '../../src/durable/store/sqlite/row-sums.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, type TestStore, testStore } from './test-store.js';

after(dropTemplate);

/** Rewords the titles of all recorded call sites. @param withoutIdentity as a build recorded them that knew no identities */
async function reword({ folder, database }: TestStore, withoutIdentity: boolean): Promise<void> {
  if (database === undefined) {
    const { DatabaseSync } = loadSqlite();
    const file = new DatabaseSync(path.join(folder, 'runs', 's0.db'));
    file.exec(`UPDATE sites SET info = json_set(info, '$.title', 'other words')`);
    if (withoutIdentity) file.exec(`UPDATE sites SET info = json_remove(info, '$.identity')`);
    // Such a build knew no checksums either.
    file.exec(`UPDATE sites SET sum = NULL; INSERT OR IGNORE INTO meta(key, value) VALUES('${LAST_WITHOUT_SUMS}', 0)`);
    file.close();
    return;
  }
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query(`UPDATE wf.sites SET info = (info::jsonb || '{"title":"other words"}')::text`);
  if (withoutIdentity) await client.query(`UPDATE wf.sites SET info = (info::jsonb - 'identity')::text`);
  await client.end();
}

for (const kind of storeKinds) {
  for (const withoutIdentity of [false, true]) {
    const age = withoutIdentity ? 'an old run' : 'a run';
    test(`${kind}: ${age} replays, and is retraced, whatever the titles of its effects say now`, async (t) => {
      const store = await testStore(t, kind);
      const prepared = await store.file('single/calls-around-a-message.wf');
      const first = await store.open();
      const { run, end } = await begun(first, prepared);
      assert.equal((await end).kind, 'paused');
      await first.close(0);
      await reword(store, withoutIdentity);
      const engine = await store.open();
      const traced = await engine.retrace(run);
      assert.equal(traced?.doubt, undefined);
      assert.deepEqual([...(traced?.reached.keys() ?? [])].sort(), [11, 13]);
      await engine.serve();
      await engine.send({ name: 'go', body: { word: 'now' }, run });
      assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'completed');
      assert.deepEqual(
        store.ledger.received.map(({ step }) => step),
        [1, 2],
      );
    });

    test(`${kind}: ${age} is repeated with the current text, whatever the titles of its effects say now`, async (t) => {
      const store = await testStore(t, kind);
      const prepared = await store.file('single/two-calls-and-a-fault.wf');
      const first = await store.open();
      const { run, end } = await begun(first, prepared, { zero: 0 });
      await end;
      await first.close(0);
      await reword(store, withoutIdentity);
      const engine = await store.open({ current: () => prepared });
      const again = await engine.rerun(run, { from: 'failure', workflow: 'current' });
      assert.equal(again.kind, 'started', again.kind === 'not possible' ? again.problem : '');
      assert.equal(store.ledger.received.length, 2, 'both calls were recorded');
    });
  }
}

test('two call sites are the same by their identities, and otherwise by what they call', () => {
  const site = { kind: 'call', site: 0, line: 1, title: 'A: POST /1', service: 'A', method: 'POST', phrase: 'send it' } as const;
  const identified = { ...site, identity: '["A","POST","/1"]' };
  assert.ok(isSameCallSite(identified, { ...identified, title: 'other words', line: 2, site: 3 }));
  assert.ok(!isSameCallSite(identified, { ...identified, identity: '["A","POST","/2"]' }), 'also with the same title');
  assert.ok(isSameCallSite(site, { ...identified, title: 'other words' }));
  assert.ok(!isSameCallSite(site, { ...identified, title: 'other words', method: 'GET' }));
  assert.ok(!isSameCallSite(undefined, identified));
});
