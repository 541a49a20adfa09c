// Tables that are small as files and enormous once read.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { rawWorkbook, rawZip } from '../input/raw-zip.js';
import { fixture, root } from '../root.js';
import { startVictim } from './victim.js';

const COUNT = readFileSync(path.join(root, 'test/attacks/files/count.wf'), 'utf8');

const run = (t: import('node:test').TestContext, name: string, content: string | Uint8Array) =>
  startVictim(t, ['run', 'case.wf', '--json', '--input-file', name], { files: { 'case.wf': COUNT, [name]: content } }).ended;

const cells = (row: number, columns: readonly string[]): string =>
  `<row r="${row}">${columns.map((column) => `<c r="${column}${row}"><v>1</v></c>`).join('')}</row>`;

test("43. A workbook that exhausts the library's memory ends only the separate process", async (t) => {
  // One field of a record in `xl/workbook.bin` says 2,147,483,647.
  const ended = await run(t, 'in.xlsx', readFileSync(fixture('hostile/endless-workbook.xlsx')));
  assert.equal(ended.code, 2);
  assert.match(
    ended.stderr,
    /^wf: --input-file in\.xlsx: reading it takes more time or memory than a file of its size should need\.\n/,
  );
  assert.ok(ended.peak < 150, `${ended.peak} MB`);
});

test('43. Reading ends after its share of processor time', () => {
  const file = fixture('hostile/endless-workbook.xlsx');
  const request = { file, cwd: '.', processorMs: 300 };
  const reader = path.join(root, 'dist/sheet-reader.cjs');
  const { signal, stdout } = spawnSync(process.execPath, ['--max-old-space-size=4096', reader, JSON.stringify(request)]);
  assert.deepEqual([signal, String(stdout)], ['SIGKILL', '']);
});

test('43. A cell at the far end of each row', async (t) => {
  const rows = Array.from({ length: 1_000 }, (_, index) => cells(index + 1, index === 0 ? ['A', 'XFD'] : ['XFD']));
  const workbook = rawZip(rawWorkbook(rows.join('')));
  assert.ok(workbook.length < 100_000);
  const ended = await run(t, 'in.xlsx', workbook);
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /999 rows of 16384 columns, but only 999 cells contain anything/);
  assert.ok(ended.peak < 150, `${ended.peak} MB`);
});

test('43. A cell at the end of the sheet', async (t) => {
  const ended = await run(t, 'in.xlsx', rawZip(rawWorkbook(`${cells(1, ['A'])}${cells(2, ['A'])}${cells(1_048_576, ['A'])}`)));
  assert.equal(ended.stdout, '{"status":"completed","outputs":{"count":2}}\n');
});

test('43. A zip that grows several hundred times', async (t) => {
  const bomb = { name: 'xl/media/x.bin', content: Buffer.alloc(100 * 1024 ** 2) };
  const ended = await run(t, 'in.xlsx', rawZip([...rawWorkbook(cells(1, ['A'])), bomb]));
  assert.match(ended.stderr, /several hundred times/);
});

for (const [title, text, expected] of [
  ['100,000 columns', `${'c,'.repeat(99_999)}c\n1\n`, /it has 100000 columns, and the limit is 16384/],
  ['100,000 cells in a row', `a\n${'1,'.repeat(99_999)}1\n`, /line 2: the row has 100000 cells/],
  ['as many short rows', `${'c,'.repeat(16_383)}c\n${'1\n'.repeat(1_000)}`, /only 1000 cells contain anything/],
] as const) {
  test(`43. Refuses a CSV file with ${title}`, async (t) => {
    const ended = await run(t, 'in.csv', text);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, expected);
    assert.ok(ended.peak < 150, `${ended.peak} MB`);
  });
}
