// How the console shows values, however large, times and durations, and builds requests from forms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationWords, moment, timeLeft } from '../../src/console/html/moment.js';
import { valuePart, valueTree } from '../../src/console/html/value-tree.js';
import { exampleRequest, leavesOf, requestOf } from '../../src/console/pages/workflows/request-forms.js';

const plain = (markup: { toString(): string }): string =>
  markup
    .toString()
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test('shows records and lists as trees, and text as text', () => {
  assert.equal(
    plain(valueTree({ id: 7, name: '<b>', none: null, empty: '', list: [], deep: { a: true } })),
    'id 7 name &lt;b&gt; none empty empty an empty text list empty list deep 1 field a true',
  );
  assert.equal(plain(valueTree('a text')), 'a text');
  assert.equal(plain(valueTree({})), 'no fields');
});

test('sends a large value in parts, each with a link to the next', () => {
  const value = { rows: Array.from({ length: 250 }, (_, index) => index), text: 'x'.repeat(5_000) };
  const tree = valueTree(value, '/value').toString();
  assert.ok(tree.length < 6_000, `${tree.length}`);
  assert.match(tree, /href="\/value\?at=%2Frows"/);
  assert.match(tree, /href="\/value\?at=%2Ftext&amp;from=2000">3000 characters more/);
  const rows = valuePart(value, new URLSearchParams('at=/rows&from=100'), '/value')?.toString() ?? '';
  assert.match(rows, />101</, 'people count from 1');
  assert.match(rows, /from=200">50 more/);
  assert.equal(valuePart(value, new URLSearchParams('at=/none'), '/value'), undefined);
});

test('shows a list of records as a table: first rows in the tree, all of them with a search on its page', () => {
  const rows = Array.from({ length: 250 }, (_, index) => ({
    order: `DE-${index}`,
    ...(index === 1 ? { note: '<b>late</b>', items: [1, 2] } : {}),
  }));
  const tree = valueTree({ rows, one: [{ a: 1 }], mixed: [{ a: 1 }, 2] }, '/value').toString();
  assert.match(tree, /<details open><summary><bdi class="k">rows<\/bdi>/);
  assert.deepEqual(
    [...tree.matchAll(/<th scope="col">(?:<bdi>)?([^<]+)/g)].map(([, name]) => name),
    ['#', 'order', 'note', 'items'],
  );
  assert.match(tree, /<th scope="row">2<\/th><td><bdi class="s">DE-1<\/bdi><\/td><td><bdi class="s">&lt;b&gt;late/);
  assert.match(tree, /<a data-more href="\/value\?at=%2Frows%2F1%2Fitems">2 items<\/a>/);
  assert.equal(tree.match(/<th scope="row">/g)?.length, 5);
  assert.match(tree, /<a href="\/value\?at=%2Frows">All 250 rows, with a search/);
  const page = (query: string, source = '/value'): string =>
    valuePart({ rows }, new URLSearchParams(query), source)?.toString() ?? '';
  assert.match(page('at=/rows'), /<th scope="row">100<\/th>.*href="\/value\?at=%2Frows&amp;q=&amp;from=100">150 more/s);
  assert.match(page('at=/rows&from=200'), /<th scope="row">201<\/th>/);
  const found = page('at=/rows&q=de-24', '/tasks/1?key=k');
  assert.match(found, /11 of 250 rows have this text/);
  assert.match(
    found,
    /action="\/tasks\/1"><input type="hidden" name="key" value="k"><input type="hidden" name="at" value="\/rows">/,
  );
  assert.deepEqual(
    [...found.matchAll(/<th scope="row">(\d+)/g)].map(([, row]) => Number(row)),
    [25, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250],
  );
  assert.match(page('at=/rows&q=<b>late'), /value="&lt;b&gt;late"/);
  // Without an address, what does not fit is only counted.
  assert.match(valueTree({ rows }).toString(), /<p class="hint">245 more<\/p>/);
});

test('names with slashes and tildes, and those of built-in fields, lead only to their own values', () => {
  const value = JSON.parse('{"a/b":{"~":[1,2,3,4,5,6,7,8,9,10,11,12,13]},"__proto__":{"x":1}}');
  const tree = valueTree(value, '/v').toString();
  const address = /href="\/v\?at=([^"&]+)"/.exec(tree)?.[1] ?? '';
  assert.match(plain(valuePart(value, new URLSearchParams(`at=${address}`), '/v') ?? ''), /^1 1 2 2/);
  assert.equal(valuePart({}, new URLSearchParams('at=/constructor'), '/v'), undefined);
});

test('a value of any depth and width becomes a small tree', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 5_000; depth++) deep = { deeper: deep };
  assert.ok(valueTree(deep, '/v').toString().length < 5_000);
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field-${index}`, { a: { b: index } }]));
  assert.ok(valueTree(wide, '/v').toString().length < 60_000);
});

test('converts form fields to a request: numbers, booleans and JSON as such, anything else as text', () => {
  const fields: [string, string][] = [
    ['customer.name', 'Ada'],
    ['customer.vip', 'true'],
    ['amount', '12.5'],
    ['zip', '00123'],
    ['large', '12345678901234567890'],
    ['rows', '[{"a":1}]'],
    ['quoted', '"7"'],
    ['empty', ''],
    ['broken', '{"a":'],
  ];
  assert.deepEqual(requestOf(fields), {
    customer: { name: 'Ada', vip: true },
    amount: 12.5,
    zip: '00123',
    large: '12345678901234567890',
    rows: [{ a: 1 }],
    quoted: '7',
    broken: '{"a":',
  });
  assert.deepEqual(Object.keys(requestOf([['__proto__.x', '1']])), ['__proto__'], 'a name is a name');
});

test('lists the fields of a request that have no fields of their own', () => {
  assert.deepEqual(leavesOf(['customer', 'customer.email', 'total']), ['customer.email', 'total']);
  assert.deepEqual(exampleRequest({ requestFields: ['customer.email', 'total'] }), { customer: { email: '…' }, total: '…' });
  const inputs = [
    { name: 'total', kind: { is: 'number', from: 5 } },
    { name: 'note', kind: { is: 'text' }, optional: true },
  ] as const;
  assert.deepEqual(exampleRequest({ inputs, requestFields: ['total'] }), { total: 5 }, 'declared inputs give values that fit');
});

// Times and durations in words.

test('shows durations in their two largest units', () => {
  const cases: [number, string][] = [
    [0, '0 ms'],
    [0.4, 'under 1 ms'],
    [34, '34 ms'],
    [1_234, '1.2 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [184_000, '3 min 4 s'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 day'],
    [3 * 86_400_000 + 4 * 3_600_000 + 1, '3 days 4 h'],
  ];
  for (const [ms, words] of cases) assert.equal(durationWords(ms), words);
});

test('shows a time in UTC, with the exact one for the script', () => {
  assert.equal(
    moment('2026-03-02T09:30:05.123Z').toString(),
    '<time datetime="2026-03-02T09:30:05.123Z">2 Mar 2026, 09:30:05 UTC</time>',
  );
  assert.equal(moment('<b>').toString(), '<time datetime="&lt;b&gt;">&lt;b&gt;</time>', 'what is no time is shown as it is');
});

test('shows the time left, or that it is up', () => {
  const now = Date.parse('2026-03-02T09:00:00Z');
  assert.match(timeLeft('2026-03-02T09:03:04Z', now).toString(), />in 3 min 4 s</);
  assert.match(timeLeft('2026-03-02T08:00:00Z', now).toString(), />due now</);
});
