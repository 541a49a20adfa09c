// Line 60: a text that a database would change is never sent. Cut at the character NUL, it could name another customer.
// Line 49: nor is a part of a secret shown that a database has cut.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mysqlFailure } from '../../src/connectors/database/mysql.js';
import { databaseScene, namedValue, skipOf, testDatabases } from '../connectors/database-scene.js';
import { succeeded } from '../connectors/results.js';

const victim = 'ada@example.com';

for (const database of testDatabases) {
  describe(`60: ${database.name}`, { skip: skipOf(database) }, () => {
    const isMysql = database.name === 'MySQL';
    const table = `nul_${process.pid}`;

    test('60. Changes no row of another customer, whatever is in a text', async () => {
      await databaseScene(database.address ?? '', async (scene) => {
        succeeded(await scene.run(`create table ${table} (id ${database.key}, email varchar(200), status varchar(200))`));
        try {
          succeeded(
            await scene.table(table, {
              does: 'insert',
              values: [
                ['email', victim],
                ['status', 'new'],
              ],
            }),
          );
          for (const attack of [`${victim}\0mallory`, `${victim}\ud800`, `\udc00${victim}`]) {
            const isKept = isMysql && attack.includes('\0');
            const attempts = [
              () => scene.table(table, { does: 'update', values: [['status', 'hacked']], where: [['email', attack]] }),
              () => scene.table(table, { does: 'update', values: [['status', 'hacked']], where: [['email', ['x', attack]]] }),
              () => scene.table(table, { does: 'delete', where: [['email', attack]] }),
              () => scene.run([`update ${table} set status = 'hacked' where email = `, namedValue('email', attack)]),
              () => scene.table(table, { does: 'select', where: [['email', attack]] }),
              () => scene.table(table, { does: 'insert', values: [['email', attack]] }),
            ];
            for (const [index, attempt] of attempts.entries()) {
              const result = await attempt();
              assert.equal(result.ok, isKept, `${JSON.stringify(attack)} ${index}: ${JSON.stringify(result)}`);
              if (!result.ok) assert.match(result.cause, /NUL|half of a character/);
            }
            const named = await scene.table(`${table}${attack}`, { does: 'select' });
            assert.equal(named.ok, false);
          }
          const rows = succeeded(await scene.table(table, { does: 'select', where: [['email', victim]] }));
          assert.deepEqual(rows, [{ id: 1, email: victim, status: 'new' }]);
          if (isMysql) {
            const [kept] = succeeded(await scene.table(table, { does: 'select', where: [['email', `${victim}\0mallory`]] })) as {
              email: string;
            }[];
            assert.equal(kept?.email, `${victim}\0mallory`);
          }
        } finally {
          await scene.run(`drop table ${table}`);
        }
      });
    });
  });
}

test('60. SQLite reads no text that it would cut, and everything else as before', async () => {
  await databaseScene('./cut.sqlite', async ({ run, table }) => {
    succeeded(await run('create table t (id integer primary key, a text)'));
    succeeded(await run("insert into t (a) values ('x' || char(0) || 'y'), ('b'), ('a')"));
    const refused = await run('select * from t');
    assert.ok(!refused.ok);
    assert.match(refused.cause, /the character NUL/);
    assert.deepEqual(succeeded(await run('select a, a, id from t where id > 1 order by a; ')), [
      { a: 'a', 'a-2': 'a', id: 3 },
      { a: 'b', 'a-2': 'b', id: 2 },
    ]);
    assert.deepEqual(succeeded(await run("with w as (select x'0041' as bytes, 1.5 as n) select * from w -- all")), [
      { bytes: 'AEE=', n: 1.5 },
    ]);
    assert.equal(succeeded(await table('t', { does: 'count' })), 3);
    assert.deepEqual(succeeded(await run('pragma user_version')), [{ user_version: 0 }]);
  });
});

test('49. Shows no part of a value that MySQL or MariaDB cuts in its messages', () => {
  const key = 'k3y'.repeat(20);
  const shown = (sqlMessage: string, errno: number, sqlState: string): string =>
    mysqlFailure({ sqlMessage, errno, sqlState }, false).body ?? '';
  const cut: readonly (readonly [said: string, errno: number, state: string, shown: string])[] = [
    [`Duplicate entry '7-${key}...' for key 'token'`, 1062, '23000', "Duplicate entry '…' for key 'token'"],
    [`Duplicate entry '${key}kkkk' for key 'token'`, 1062, '23000', "Duplicate entry '…' for key 'token'"],
    [
      `Incorrect datetime value: '${key}${key}...' for column \`d\` at row 1`,
      1292,
      '22007',
      "Incorrect datetime value: '…' for column `d` at row 1",
    ],
    [`Truncated incorrect DOUBLE value: '${key}'${key}'`, 1292, '22007', "Truncated incorrect DOUBLE value: '…'"],
  ];
  for (const [said, errno, state, expected] of cut) assert.equal(shown(said, errno, state), expected);
  const short = "Duplicate entry 'ada@example.com' for key 'email'";
  assert.equal(shown(short, 1062, '23000'), short);
});
