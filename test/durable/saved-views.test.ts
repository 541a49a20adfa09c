// What people keep of the list of runs: saved views, also in an encrypted store whose key changes, and the filter by version. In both kinds
// of stores.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

for (const kind of storeKinds) {
  test(`${kind}: views are kept for everyone, replaced and removed, without secrets, and outlive a change of the key`, async (t) => {
    const { open, env, database } = await kept(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    Object.assign(env, { WF_STORE_KEY: key(1), API_TOKEN: 'very-secret-token' });
    const [one, other] = [await open(), await open()];
    const save = (name: string, query: string) => one.views.save({ name, query, by: 'Ada' }, [{ env: ['API_TOKEN'] }]);
    assert.deepEqual(await save('Failed <today>', 'status=error&since=24h'), { name: 'Failed <today>', isSaved: true });
    await save('Failed <today>', 'status=error');
    assert.equal((await save('about very-secret-token', 'q=very-secret-token&status=stuck')).name, 'about [redacted]');
    const views = [
      { name: 'about [redacted]', query: 'q=%5Bredacted%5D&status=stuck', by: 'Ada' },
      { name: 'Failed <today>', query: 'status=error', by: 'Ada' },
    ];
    assert.deepEqual(await other.views.list(), views);
    for (const engine of [one, other]) await engine.close(0);
    await (await open({ isRekeying: true })).rekey(Buffer.alloc(32, 2));
    env.WF_STORE_KEY = key(2);
    const later = await open();
    assert.deepEqual(await later.views.list(), views);
    await later.views.remove('about [redacted]');
    for (let n = 1; n < 50; n++) assert.equal((await later.views.save({ name: `view ${n}`, query: '' }, [])).isSaved, true);
    assert.equal((await later.views.save({ name: 'one more', query: '' }, [])).isSaved, false);
    assert.equal((await later.views.save({ name: 'view 7', query: 'status=error' }, [])).isSaved, true, 'which is there already');
    assert.equal((await later.views.list()).length, 50);
  });

  test(`${kind}: runs of one version, by its number or the beginning of its hash, and all versions of a workflow`, async (t) => {
    const { open, env, folder, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const engine = await open();
    const runs: string[] = [];
    for (const version of [1, 2, 12]) {
      writeFileSync(
        path.join(folder, 'changing.wf'),
        `config:\n    name: "Changing"\n    version: ${version}\n\nworkflow:\n    trigger: t\n\n    complete\n`,
      );
      const prepared = await prepare('changing.wf', { cwd: folder, env });
      assert.ok(prepared.ok, JSON.stringify(prepared));
      const { run, end } = await begun(engine, prepared.prepared);
      await end;
      runs.push(run);
    }
    const [first, second, twelfth] = runs;
    const found = async (version: string): Promise<string[]> =>
      (await engine.list({ workflow: 'changing', withCalled: true, version })).runs.map(({ run }) => run);
    assert.deepEqual([await found('1'), await found('2'), await found('12')], [[first], [second], [twelfth]]);
    const { textHash = '' } = (await engine.get(second ?? '')) ?? {};
    assert.deepEqual([await found(textHash), await found(textHash.slice(0, 12))], [[second], [second]]);
    for (const none of ['3', "%' OR 1=1 --", '%', 'deadbeef']) assert.deepEqual(await found(none), [], none);
    const hashes = await engine.versionsOf('changing');
    assert.deepEqual([hashes.length, hashes[1]], [3, textHash]);
  });
}
