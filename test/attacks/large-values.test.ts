// Small requests whose values become gigabytes of text when they leave the run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonSize } from '../../runtime/values/json.js';
import { output } from '../../runtime/values/values.js';
import { rawWorkbook, rawZip } from '../input/raw-zip.js';
import { fixture, root } from '../root.js';
import { value } from '../runtime/arbitraries.js';
import { attack, head, startServerVictim, startVictim } from './victim.js';

const workflow = (last: string, services = ''): string => `config:
    name: "Many"
    version: 1

${services}workflow:
    trigger: t

    set all to []
    for each item in request.items:
        add request.long to all
${last}
`;

/** A text of 300,000 characters, 20,000 times: 6 GB from a request of 400 KB. */
const request = JSON.stringify({ long: 'x'.repeat(300_000), items: Array.from({ length: 20_000 }, () => 1) });
const api = 'services:\n    Api is an API at "http://127.0.0.1:1"\n\n';

for (const [title, last, services] of [
  ['an output', '    complete with all all', ''],
  ['several outputs', '    complete with a all.0 and b all', ''],
  ['a rejection', '    reject with "{all}"', ''],
  ['a log line', '    log "{all}"', ''],
  ['the body of a request', '    send it using Api at "/x" with all all', api],
  ['a query', '    get it using Api at "/x" with all all', api],
  ['a text', '    set text to text of all', ''],
  ['a text in an expression', '    set text to each item in [1] where "{all}" is "x"', ''],
  ['an answer of its own', '    complete\n        answer text "{all}"', ''],
  ['several texts in a log line', '    set a to text of (first 200 of all)\n    log "{a}{a}"', ''],
] as const) {
  test(`41. ${title} of gigabytes ends the run as an error before the memory is full, and names its line`, async (t) => {
    const file = workflow(last, services);
    const server = await startServerVictim(t, file, { node: ['--max-old-space-size=300'] });
    const answer = await attack(t, server.port, head(`Content-Length: ${request.length}`), request).closed;
    const line = file.trimEnd().split('\n').length;
    const message = `case.wf, line ${line}: A value is too large: I can't handle more than 64 MB of text at once.`;
    assert.match(answer, /^HTTP\/1\.1 500 /);
    assert.ok(answer.includes(message), answer.slice(-300));
    const { peak, code } = await server.stop();
    assert.equal(code, 0);
    assert.ok(peak < 350, `${peak} MB`);
  });
}

test('41. Limits the total log of a run, and shows no larger value when tracing', async (t) => {
  const input = JSON.stringify({ long: 'y'.repeat(100_000), items: Array.from({ length: 1_500 }, () => 1) });
  const file = workflow('    for each line in all:\n        log line');
  const files = { 'case.wf': file, 'in.json': input };
  const words = ['run', 'case.wf', '--json', '--verbose', '--input-file', 'in.json', '--output-log', 'log.json'];
  const victim = startVictim(t, words, { files, node: ['--max-old-space-size=400'] });
  const { stdout, stderr, code } = await victim.ended;
  assert.equal(code, 0, stderr.slice(-1_000));
  const { entries } = JSON.parse(readFileSync(path.join(victim.folder, 'log.json'), 'utf8'));
  // 64 MB of text, and the note about the rest.
  assert.ok(entries.length > 600 && entries.length < 700, `${entries.length} entries`);
  assert.match(entries.at(-1).message, /more entries were dropped/);
  assert.equal(stdout, '{"status":"completed","outputs":{}}\n');
  assert.match(stderr, /all = "\(a list too long to show\)"/);
});

test('41. Counts the size of any JSON exactly, and no further than necessary', () => {
  fc.assert(
    fc.property(value, fc.nat(50), (given, most) => {
      const put = output(given);
      const exact = JSON.stringify(put).length;
      const counted = jsonSize(put);
      // One more comma per list and record, one more letter for `true` and `null`, and the longest escapes.
      assert.ok(counted >= exact, `${counted} < ${exact}`);
      assert.ok(counted <= 12 * exact + 12, `${counted} > ${exact}`);
      if (counted > most) assert.ok(jsonSize(put, most) > most);
    }),
  );
});

// Tables that are small as files and enormous once read.

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
