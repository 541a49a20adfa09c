// Very many runs that wait for the same message: what a message costs does not grow with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Changes } from '../../src/durable/store/shared/changes.js';
import { Messages } from '../../src/durable/store/shared/messages.js';
import { SharedFile, sqliteSql } from '../../src/durable/store/sqlite/shared-file.js';
import { processorTime } from '../processor-time.js';
import { temporaryFolder } from '../temporary-folder.js';

const MANY = 300_000;
const MESSAGES = 20;

const hex = (n: number): string => n.toString(16).padStart(32, '0');

for (const way of ['by its fields', 'by its run'] as const)
  test(`a message finds its run ${way} without looking through ${MANY} others`, async (t) => {
    const file = new SharedFile(temporaryFolder(t, {}), undefined);
    t.after(() => file.close());
    const sql = sqliteSql(file, () => true);
    const messages = new Messages(sql, new Changes(sql));
    const isByRun = way === 'by its run';
    const wait = { name: 'paid', place: '0', due: undefined, now: 1 };
    for (let n = 0; n < MESSAGES; n++) {
      await messages.want({ ...wait, run: hex(MANY + n), pairs: isByRun ? [] : [['order', n]] });
    }
    // Those that have waited longest are of no use to these messages.
    await file.change(() =>
      file.run(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
         INSERT INTO waiters(name, run, place, fields, hash, since)
         SELECT name, CAST(printf('%016d', n) AS BLOB), place, fields, ${isByRun ? 'hash' : "CAST(printf('%016d', n) AS BLOB)"}, 0
         FROM numbers, (SELECT * FROM waiters ORDER BY id LIMIT 1)`,
      ),
    );
    const found: unknown[] = [];
    const taken = processorTime();
    for (let n = 0; n < MESSAGES; n++) {
      const message = { name: 'paid', body: { order: n }, run: isByRun ? hex(MANY + n) : undefined, key: undefined, now: 2 };
      const sent = await messages.send(message);
      found.push(sent.kind === 'sent' && sent.run);
    }
    const ms = taken();
    assert.deepEqual(
      found,
      Array.from({ length: MESSAGES }, (_, n) => hex(MANY + n)),
    );
    assert.ok(ms < 10 * MESSAGES, `${ms} ms`);
  });
