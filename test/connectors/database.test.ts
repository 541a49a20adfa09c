// The behaviour common to all databases, tested with real ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Value } from '../../runtime/types.js';
import { type DatabaseScene, databaseScene, namedValue, skipOf, testDatabases } from './database-scene.js';
import { cause, succeeded } from './results.js';

for (const database of testDatabases) {
  const { address = '', key, quote } = database;

  describe(database.name, { skip: skipOf(database) }, () => {
    let tables = 0;
    /** A scene with a table that is dropped at the end. */
    const withTable = (columns: string, play: (scene: DatabaseScene, table: string) => Promise<void>): Promise<void> =>
      databaseScene(address, async (scene) => {
        const table = `wf_test_${process.pid}_${tables++}`;
        succeeded(await scene.run(`create table ${table} (${columns})`));
        try {
          await play(scene, table);
        } finally {
          await scene.run(`drop table ${table}`);
        }
      });
    const customers = `id ${key}, email varchar(200) unique, status varchar(200), total double precision`;

    test('inserts, finds, counts, updates and deletes rows', () =>
      withTable(customers, async ({ table, run }, name) => {
        const row = async (email: string, status: string, total: number): Promise<Value> =>
          succeeded(await table(name, { does: 'insert', values: Object.entries({ email, status, total }) }));
        assert.deepEqual(await row('ada@example.com', 'new', 12.5), {
          id: 1,
          email: 'ada@example.com',
          status: 'new',
          total: 12.5,
        });
        await row('bob@example.com', 'new', 7);
        await row('cy@example.com', 'old', 1);
        const one = { does: 'select', wish: 'record' } as const;
        assert.equal((succeeded(await table(name, { ...one, where: [['email', 'cy@example.com']] })) as { id: Value }).id, 3);
        assert.equal(succeeded(await table(name, { ...one, where: [['email', 'nobody']] })), null);
        assert.equal((succeeded(await table(name, { does: 'select', where: [['status', 'new']] })) as Value[]).length, 2);
        assert.equal(succeeded(await table(name, { does: 'count', where: [['status', ['new', 'old']]] })), 3);
        assert.equal(succeeded(await table(name, { does: 'count', where: [['status', []]] })), 0);
        assert.equal(succeeded(await table(name, { does: 'update', values: [['status', null]], where: [['total', 7]] })), 1);
        assert.equal(succeeded(await table(name, { does: 'count', where: [['status', null]] })), 1);
        assert.equal(succeeded(await table(name, { does: 'count', where: [['status', ['old', null]]] })), 2);
        assert.equal(succeeded(await table(name, { does: 'delete', where: [['status', 'old']] })), 1);
        const totals = await run(
          [`select sum(total) as total from ${name} where total > `, namedValue('request.limit', 5)],
          'rows',
        );
        assert.deepEqual(succeeded(totals), [{ total: 19.5 }]);
        assert.equal(succeeded(await run([`select count(*) from ${name}`], 'number')), 2);
        assert.equal(
          succeeded(
            await run(
              [`select count(*) from ${name} where email in (`, namedValue('l', ['ada@example.com', 'x']), ')'],
              'number',
            ),
          ),
          1,
        );
      }));

    test('returns the first record if several match, with a warning', () =>
      withTable(customers, async ({ table }, name) => {
        await table(name, { does: 'insert', values: [['status', 'new']] });
        await table(name, { does: 'insert', values: [['status', 'new']] });
        const result = await table(name, { does: 'select', wish: 'record', where: [['status', 'new']] });
        assert.ok(result.ok);
        assert.match(result.warning ?? '', /^More than one row/);
      }));

    test('a violated constraint has the status 409 and is not retried', () =>
      withTable('id integer primary key, name varchar(20) not null, age integer check (age > 0)', async ({ table }, name) => {
        await table(name, { does: 'insert', values: Object.entries({ id: 1, name: 'a', age: 1 }) });
        for (const row of [
          { id: 1, name: 'b', age: 1 },
          { id: 2, name: null, age: 1 },
          { id: 2, age: 1 },
          { id: 3, name: 'b', age: 0 },
        ]) {
          const result = await table(name, { does: 'insert', values: Object.entries(row) });
          assert.ok(!result.ok, JSON.stringify(row));
          assert.deepEqual([result.code, result.status, result.retryable], ['WF664', 409, false], JSON.stringify(result));
        }
        assert.equal(succeeded(await table(name, { does: 'count' })), 1);
      }));

    test('a call runs one statement and leaves no transaction open', () =>
      withTable(customers, async ({ run, table }, name) => {
        await table(name, { does: 'insert', values: [['status', 'new']] });
        assert.match(cause(await run(`delete from ${name}; drop table ${name}`)), /several statements/);
        assert.equal(
          cause(await run('begin')),
          'each call runs in its own transaction, so its SQL cannot contain begin or commit',
        );
        assert.equal(succeeded(await table(name, { does: 'count' })), 1);
      }));

    test('reports mistakes in plain words', () =>
      withTable(customers, async ({ run, table }, name) => {
        assert.match(cause(await run('select * from wf_nowhere')), /^there is no such table \(.*wf_nowhere/);
        assert.match(cause(await run(`select emial from ${name}`)), /^there is no such column \(.*emial/);
        assert.match(cause(await run(`selekt 1`)), /^the statement is not valid SQL \(.*selekt/);
        assert.equal(
          cause(await table([namedValue('request.table', 'ada@example.com')], { does: 'select' })),
          'there is no such table',
        );
        assert.match(cause(await table(name, { does: 'delete' })), /no condition/);
      }));

    test('a value is never part of the statement', () =>
      withTable(customers, async ({ run, table }, name) => {
        await table(name, {
          does: 'insert',
          values: [
            ['status', 'kept'],
            ['email', 'other'],
          ],
        });
        const attacks = [
          `x'; drop table ${name}; --`,
          `' or '1'='1`,
          `\\' or 1=1 -- `,
          `" or 1=1 -- `,
          '` or 1=1 -- ',
          `$1`,
          '?',
          '%',
          "'; select pg_sleep(10); --",
          '\u2028',
          'a\\',
        ];
        for (const attack of attacks) {
          const label = JSON.stringify(attack);
          const made = await table(name, { does: 'insert', values: [['status', attack]] });
          assert.equal((succeeded(made) as { status: Value }).status, attack, label);
          assert.equal(succeeded(await table(name, { does: 'count', where: [['email', attack]] })), 0, label);
          assert.equal(
            succeeded(await table(name, { does: 'update', values: [['total', 1]], where: [['email', attack]] })),
            0,
            label,
          );
          assert.equal(succeeded(await table(name, { does: 'delete', where: [['email', attack]] })), 0, label);
          assert.deepEqual(
            succeeded(await run([`select id from ${name} where email = `, namedValue('x', attack)], 'rows')),
            [],
            label,
          );
          for (const does of ['select', 'count', 'insert'] as const)
            cause(await table([namedValue('x', `${name}${quote}${attack}`)], { does, values: [['status', 'x']] }));
          cause(await table(name, { does: 'insert', values: [[`status${quote}${attack}`, 'x']] }));
          cause(await table(name, { does: 'delete', where: [[`${attack}`, attack]] }));
        }
        for (const record of [{ a: 1 }, [{ a: 1 }], [[1]]])
          cause(await table(name, { does: 'delete', where: [['email', record as Value]] }));
        // A number is not a wildcard for text.
        for (const number of [0, true, false])
          assert.equal(succeeded(await table(name, { does: 'delete', where: [['email', number]] })), 0, String(number));
        for (const bad of ['a\u0000b', 'a\nb', '', 'x'.repeat(2_000)])
          cause(await table([namedValue('x', bad)], { does: 'select' }));
        cause(await table([namedValue('x', null)], { does: 'select' }));
        // A dot in a value does not select a schema.
        cause(await table([namedValue('x', 'information_schema.tables')], { does: 'select' }));
        assert.equal(succeeded(await table(name, { does: 'count', where: [['email', 'other']] })), 1);
        assert.equal(succeeded(await table(name, { does: 'count' })), attacks.length + 1);
      }));

    test('abandons a result of more than 100,000 rows or 10 MiB', () =>
      withTable('n integer, filler text', async ({ run, table }, name) => {
        const series: Record<string, (rows: number) => string> = {
          SQLite: (rows) => `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows}) select n from s)`,
          PostgreSQL: (rows) => `(select n from generate_series(1, ${rows}) as n)`,
          MySQL: (rows) => `(select seq as n from seq_1_to_${rows})`,
        };
        const rows = (count: number): string => series[database.name]?.(count) ?? '';
        assert.equal(
          (succeeded(await run(`select n, 'x' as filler from ${rows(100_000)} as s`, 'rows')) as Value[]).length,
          100_000,
        );
        const before = process.memoryUsage().rss;
        assert.match(cause(await run(`select n, 'x' as filler from ${rows(10_000_000)} as s`, 'rows')), /100,000 rows/);
        assert.match(
          cause(
            await run(
              `select n, repeat('x', 1000000) as filler from ${rows(10_000)} as s`
                .replace('repeat', database.name === 'SQLite' ? 'printf' : 'repeat')
                .replace("printf('x', 1000000)", 'hex(zeroblob(500000))'),
              'rows',
            ),
          ),
          /10 MiB/,
        );
        const wide = database.name === 'SQLite' ? 'hex(zeroblob(10000000))' : "repeat('x', 15000000)";
        assert.match(cause(await run(`select ${wide} as filler`, 'rows')), /10 MiB/);
        assert.ok(process.memoryUsage().rss - before < 200e6, 'memory');
        // A change that returns too much is rolled back.
        if (database.name === 'MySQL') return;
        const many = `insert into ${name} select n, 'x' from ${rows(100_001)} as s where true returning *`;
        assert.match(cause(await run(many, 'rows')), /100,000 rows/);
        assert.equal(succeeded(await table(name, { does: 'count' })), 0);
      }));
  });
}
