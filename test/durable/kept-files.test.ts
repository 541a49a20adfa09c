// A version holds the texts of the workflows that it calls and the files of its tables, so its runs can be retraced whatever happens to the
// files.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { openStore } from '../../src/durable/open-store.js';
import { root, testFile } from '../root.js';
import { endWithTest } from '../temporary-folder.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const part = testFile('durable/files/part.wf');

const deep = testFile('durable/files/deep.wf');

for (const kind of storeKinds) {
  test(`runs are retraced from the files that they were compiled from (${kind})`, async (t) => {
    const { file, open, folder, env } = await kept(t, kind);
    mkdirSync(path.join(folder, 'parts'));
    writeFileSync(path.join(folder, 'parts', 'part.wf'), part);
    writeFileSync(path.join(folder, 'deep.wf'), deep);
    writeFileSync(path.join(folder, 'parts', 'shares.csv'), 'region is,share\nnorth,2\nany,1\n');
    writeFileSync(path.join(folder, 'rates.csv'), 'region is,rate\nnorth,7\ncafé,8\nany,1\n');
    cpSync(path.join(root, 'fixtures/examples/shipping-zones.xlsx'), path.join(folder, 'costs.xlsx'));
    const prepared = await file('kept/tables-and-parts.wf');
    const store = await open({ current: () => prepared });
    const { run, end } = await begun(store, prepared, { region: 'north' });
    assert.equal((await end).kind, 'outcome');
    writeFileSync(path.join(folder, 'rates.csv'), 'region is,rate\nany,0\n');
    for (const name of ['parts', 'deep.wf', 'costs.xlsx']) rmSync(path.join(folder, name), { recursive: true });
    await store.close(0);
    const later = await open();
    const placed = (log: readonly LogEntry[]) =>
      log.map(({ type, line, workflow: name, calledLine, message, service }) => [type, line, name, calledLine, message, service]);
    const { log } = await prepared.run({ region: 'north' }, { env });
    assert.deepEqual(placed(await later.log(run)), placed(log), 'the log is that of a run in memory');
    assert.deepEqual(
      log.filter(({ type }) => type === 'log').map(({ workflow: name, calledLine }) => [name, calledLine]),
      [
        ['Part', 12],
        ['Part', 13],
        ['Part', 12],
        ['Part', 13],
        [undefined, undefined],
      ],
    );
    const inside = (await later.journal(run, { from: 4 }))?.entries.filter(({ kind: what }) => what === 'call');
    assert.deepEqual(inside?.at(-1), { ...inside?.at(-1), line: 19, workflow: 'Part', calledLine: 15, service: 'Ledger' });
    assert.deepEqual((await later.state(run))?.outputs, { rate: 7, share: 4 });
    const traced = await later.retrace(run);
    assert.ok(traced);
    assert.equal(traced.doubt, undefined);
    const text = (await later.text((await later.get(run))?.textHash ?? ''))?.text.split('\n') ?? [];
    const count = (piece: string): number => traced?.reached.get(text.findIndex((line) => line.includes(piece)) + 1) ?? 0;
    assert.deepEqual(['look up rate', 'for each', 'get part', 'log "the rate', 'complete'].map(count), [1, 1, 2, 1, 1]);
    const other = await openStore('other', { env, cwd: folder });
    endWithTest(t, () => other.close(0));
    await other.moving.import(later.moving.export());
    assert.deepEqual((await other.retrace(run))?.reached, traced?.reached, 'the files go with a run to another store');
  });
}
