// Numbers, dates, lists and bytes of each database as values of the language.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exactNumber } from '../../src/connectors/database/result.js';
import { databaseScene, namedValue, skipOf, testDatabases } from './database-scene.js';
import { succeeded } from './results.js';

const [sqlite, postgres, mysql] = testDatabases;

const row = (address: string, statement: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    databaseScene(address, async ({ run }) => resolve(succeeded(await run(statement, 'record')))).catch(reject);
  });

test('becomes a number only if it keeps its digits', () => {
  const cases: Record<string, number | string> = {
    '0': 0,
    '-0': 0,
    '0.0': 0,
    '12.50': 12.5,
    '-12.50': -12.5,
    '007': 7,
    '.5': 0.5,
    '9007199254740991': 9007199254740991,
    '9007199254740993': '9007199254740993',
    '123456789012345.5': 123456789012345.5,
    '1234567890.123456789': '1234567890.123456789',
    '12345678901234567890.12': '12345678901234567890.12',
    '0.1': 0.1,
    '100000000000000000000': 100000000000000000000,
    '0.000000000000000000001': 1e-21,
    NaN: 'NaN',
    Infinity: 'Infinity',
    '': '',
    '.': '.',
    '-': '-',
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(exactNumber(text), expected, text);
});

describe('SQLite', { skip: sqlite !== undefined && skipOf(sqlite) }, () => {
  test('converts its types', async () => {
    const statement =
      "select 9007199254740993 as big, 42 as small, 12.5 as part, 'x' as word, null as missing, x'00ff' as bytes, 1e400 as huge";
    assert.deepEqual(await row(sqlite?.address ?? '', statement), {
      big: '9007199254740993',
      small: 42,
      part: 12.5,
      word: 'x',
      missing: null,
      bytes: 'AP8=',
      huge: 'Infinity',
    });
  });

  test('keeps columns with the same name, and one called __proto__', async () => {
    const found = (await row(sqlite?.address ?? '', 'select 1 as id, 2 as id, 3 as "__proto__"')) as object;
    assert.deepEqual(Object.entries(found), [
      ['id', 1],
      ['id-2', 2],
      ['__proto__', 3],
    ]);
    assert.equal(Object.getPrototypeOf(found), Object.prototype);
  });

  test('a bound whole number stays one', () =>
    databaseScene(sqlite?.address ?? '', async ({ run }) => {
      const bound = await run(
        [
          'select typeof(',
          namedValue('a', 5),
          ') as a, typeof(',
          namedValue('b', 0.5),
          ') as b, ',
          namedValue('c', true),
          ' as c',
        ],
        'record',
      );
      assert.deepEqual(succeeded(bound), { a: 'integer', b: 'real', c: 1 });
    }));
});

describe('PostgreSQL', { skip: postgres !== undefined && skipOf(postgres) }, () => {
  test('converts its types', async () => {
    const statement = `select 9007199254740993::bigint as big, 42::bigint as small, 12.50::numeric as part, 12345678901234567890.12::numeric as wide,
      date '2026-03-01' as day, timestamptz '2026-03-01 09:30:00.5+00' as moment, timestamp '2026-03-01 09:30:00' as local, true as yes, null as missing,
      0.1::real as real, 'NaN'::float8 as nan, '{"a": [1, 9007199254740993]}'::jsonb as json, array[1,2]::int8[] as list, array[array['a"b','c'],array[null,'']]::text[] as texts,
      '\\x00ff'::bytea as bytes, interval '1 day' as span, 'infinity'::timestamp as never, array[date '2026-03-01'] as days, '550e8400-e29b-41d4-a716-446655440000'::uuid as uuid`;
    assert.deepEqual(await row(`${postgres?.address ?? ''}`, statement), {
      big: '9007199254740993',
      small: 42,
      part: 12.5,
      wide: '12345678901234567890.12',
      day: '2026-03-01',
      yes: true,
      missing: null,
      moment: '2026-03-01T09:30:00.5Z',
      local: '2026-03-01T09:30:00',
      real: 0.1,
      nan: 'NaN',
      span: '1 day',
      never: 'infinity',
      json: { a: [1, '9007199254740993'] },
      list: [1, 2],
      texts: [
        ['a"b', 'c'],
        [null, ''],
      ],
      bytes: 'AP8=',
      days: ['2026-03-01'],
      uuid: '550e8400-e29b-41d4-a716-446655440000',
    });
  });
});

describe('MySQL', { skip: mysql !== undefined && skipOf(mysql) }, () => {
  test('converts its types', async () => {
    const statement = `select cast(9007199254740993 as signed) as big, cast(42 as signed) as small, cast(12.50 as decimal(10,2)) as part,
      cast(12345678901234567890.12 as decimal(30,2)) as wide, cast('2026-03-01' as date) as day, cast('2026-03-01 09:30:00' as datetime) as moment,
      null as missing, cast(18446744073709551615 as unsigned) as largest, x'00ff' as bytes, b'101' as bits, cast('09:30:00' as time) as clock`;
    assert.deepEqual(await row(mysql?.address ?? '', statement), {
      big: '9007199254740993',
      small: 42,
      part: 12.5,
      wide: '12345678901234567890.12',
      day: '2026-03-01',
      missing: null,
      moment: '2026-03-01T09:30:00',
      largest: '18446744073709551615',
      bytes: 'AP8=',
      bits: 'BQ==',
      clock: '09:30:00',
    });
  });

  test('converts floats, bits and JSON of a table, and binds a limit', () =>
    databaseScene(mysql?.address ?? '', async ({ run, table }) => {
      const name = `wf_kinds_${process.pid}`;
      succeeded(
        await run(
          `create table ${name} (id integer primary key auto_increment, f float, b bit(9), j json, y year, t timestamp null)`,
        ),
      );
      try {
        const made = await table(name, {
          does: 'insert',
          values: [
            ['f', 0.1],
            ['j', { a: [1] }],
            ['y', 2026],
            ['t', '2026-03-01 09:30:00'],
          ],
        });
        assert.deepEqual(succeeded(made), { id: 1, f: 0.1, b: null, j: { a: [1] }, y: 2026, t: '2026-03-01T09:30:00' });
        succeeded(await run(`update ${name} set b = b'100000001'`));
        assert.deepEqual(succeeded(await run([`select b from ${name} limit `, namedValue('n', 5)], 'rows')), [{ b: 257 }]);
      } finally {
        await run(`drop table ${name}`);
      }
    }));
});
