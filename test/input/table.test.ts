// Headers, rows, and the record of a single row, for CSV files and sheets alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { field, items } from '../../runtime/values/fields.js';
import { equal, output, show } from '../../runtime/values/values.js';
import { columnNames, recordFactory } from '../../src/input/table.js';
import { readAs, usageError } from './in-folder.js';

test('trims headers, numbers empty ones, and gives repeated ones a unique suffix', () => {
  const names = (...headers: string[]) => columnNames(headers).names;
  assert.deepEqual(names(' a ', '', 'x', 'x', 'x'), ['a', 'column-2', 'x', 'x-2', 'x-3']);
  assert.deepEqual(names('x', 'x', 'x-2'), ['x', 'x-3', 'x-2']);
  assert.deepEqual(names('', 'column-1'), ['column-1-2', 'column-1']);
  assert.deepEqual(names('x', 'X', ' x'), ['x', 'X', 'x-2']);
  assert.deepEqual(columnNames(['a', ' b ', '', 'a']).warnings, [
    'column 3 has no header; using "column-3"',
    'the header "a" appears more than once; using "a-2" for column 4',
  ]);
});

test('whatever the headers, no two columns share a name', () => {
  const header = fc.constantFrom('', ' ', 'x', 'x-2', 'x-3', 'x-2-2', 'column-1', 'column-2', '__proto__', '1');
  fc.assert(
    fc.property(fc.array(header, { maxLength: 12 }), (headers) => {
      const { names } = columnNames(headers);
      assert.equal(new Set(names).size, headers.length);
      assert.ok(!names.includes(''));
    }),
  );
});

test('renames a thousand equal headers quickly', () => {
  assert.equal(columnNames(Array(16_000).fill('x')).names.at(-1), 'x-16000');
});

test('any header is an own field, and no prototype changes', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const names = ['__proto__', 'constructor', 'toString', '7', 'a'];
  const make = recordFactory(names);
  const record = make([{ polluted: true }, 'c', 't', 'seven']);
  assert.equal(Object.getPrototypeOf(record), Object.prototype);
  assert.deepEqual(new Set(Object.keys(record)), new Set(names));
  assert.deepEqual(Object.getOwnPropertyDescriptor(record, '__proto__')?.value, { polluted: true });
  assert.equal(record.constructor, 'c');
  assert.equal(record.a, null);
  assert.equal('polluted' in {}, false);
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
});

test('one row: a flat record that also has rows and count', async (t) => {
  const { request } = await readAs(t, 'one.csv', 'name,age\nAlice,30\n');
  assert.deepEqual(request, { name: 'Alice', age: 30 });
  assert.deepEqual(Object.keys(request), ['name', 'age']);
  assert.equal(JSON.stringify(request), '{"name":"Alice","age":30}');
  assert.deepEqual(items(field(request, 'rows')), [{ name: 'Alice', age: 30 }]);
  assert.equal(field(request, 'count'), 1);
  assert.equal(show(request), '{"name":"Alice","age":30}');
  assert.equal(JSON.stringify(output(request)), '{"name":"Alice","age":30}');
  assert.equal(equal(request, { name: 'Alice', age: 30 }), true);
});

test('columns named rows or count take precedence', async (t) => {
  const { request } = await readAs(t, 'one.csv', 'count,name\n7,Alice\n');
  assert.deepEqual({ ...request }, { count: 7, name: 'Alice' });
  assert.deepEqual(request.rows, [{ count: 7, name: 'Alice' }]);
  const other = await readAs(t, 'one.csv', 'rows\n\n\nfree\n');
  assert.equal(other.request.rows, 'free');
  assert.equal(other.request.count, 1);
});

test('several rows: rows and count; fills short rows, skips empty ones', async (t) => {
  const { request, warnings } = await readAs(t, 'in.csv', '\n,\na,b\n1\n,\n\n  \n3,4,,\n');
  assert.deepEqual(request, {
    rows: [
      { a: 1, b: null },
      { a: 3, b: 4 },
    ],
    count: 2,
  });
  assert.deepEqual(warnings, []);
});

test('keeps cells past the last header in a separate column, with a warning', async (t) => {
  const { request, warnings } = await readAs(t, 'in.csv', 'a,b\n1,2\n3,4,5,6\n');
  assert.deepEqual(request.rows, [
    { a: 1, b: 2, 'column-3': null, 'column-4': null },
    { a: 3, b: 4, 'column-3': 5, 'column-4': 6 },
  ]);
  assert.deepEqual(warnings, [
    'in.csv: line 3: the row has 4 cells, but there are only 2 headers.',
    'in.csv: column 3 has no header; using "column-3".',
    'in.csv: column 4 has no header; using "column-4".',
  ]);
});

test('headers without rows are an empty list; an empty file is an error', async (t) => {
  for (const text of ['a,b', 'a,b\n', '\n\na,b\n,\n  \n']) {
    assert.deepEqual((await readAs(t, 'in.csv', text)).request, { rows: [], count: 0 }, JSON.stringify(text));
  }
  for (const text of ['', '\n\n', ' , \n', '\ufeff']) {
    assert.match((await usageError(readAs(t, 'in.csv', text))).message, /^--input-file in\.csv: the file is empty/);
  }
});

test('shortens many warnings', async (t) => {
  const { warnings } = await readAs(t, 'in.csv', `${'x,'.repeat(40)}y\n${'1,'.repeat(40)}1\n`);
  assert.equal(warnings.length, 11);
  assert.equal(warnings.at(-1), 'in.csv: and 29 more warnings like these.');
});

test('refuses an enormous table before it takes the memory', async (t) => {
  const wide = await usageError(readAs(t, 'in.csv', `a\n${'1,'.repeat(20_000)}1\n`));
  assert.equal(wide.message, '--input-file in.csv: line 2: the row has 20001 cells, but there are only 1 headers.');
  const header = await usageError(readAs(t, 'in.csv', `${'h,'.repeat(20_000)}h\n1\n`));
  assert.match(header.message, /20001 columns, and the limit is 16384/);
  const product = await usageError(readAs(t, 'in.csv', `${'h,'.repeat(10_000)}h\n${'1\n'.repeat(6_000)}`));
  assert.match(product.message, /6000 rows of 10001 columns/);
  const sparse = await usageError(readAs(t, 'in.csv', `${'h,'.repeat(10_000)}h\n${'1\n'.repeat(1_000)}`));
  assert.match(sparse.message, /1000 rows of 10001 columns, but only 1000 cells contain anything/);
  const many = await usageError(readAs(t, 'in.csv', `a\n${','.repeat(30_000_000)}`));
  assert.match(many.message, /line 2: the file has more than 20000000 cells/);
});
