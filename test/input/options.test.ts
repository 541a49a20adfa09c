// `--input`, `--input-file` and `--sheet` as options; JSON; files that can't be read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readInput } from '../../src/input/read-input.js';
import { temporaryFolder } from '../temporary-folder.js';
import { readAs, usageError } from './in-folder.js';

const cwd = process.cwd();
const fromText = (input: string) => readInput({ input, cwd });
const textFault = async (input: string) => (await usageError(fromText(input))).message;

test('without an option, the input is an empty record', async () => {
  assert.deepEqual(await readInput({ cwd }), { request: {}, warnings: [] });
});

test('--input is a JSON object; keeps digits beyond a double; __proto__ is data', async () => {
  assert.deepEqual((await fromText(' {"a": [1, null], "b": {"c": "x"}}')).request, { a: [1, null], b: { c: 'x' } });
  assert.deepEqual((await fromText('{"id": 12345678901234567890, "n": 42}')).request, { id: '12345678901234567890', n: 42 });
  const { request } = await fromText('{"__proto__": {"polluted": true}, "constructor": 1}');
  assert.deepEqual(Object.keys(request), ['__proto__', 'constructor']);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('reports the place of anything else in --input', async () => {
  assert.match(await textFault('{name: 1}'), /^--input is not valid JSON \(line 1, column 2\): /);
  assert.match(await textFault('{"a": 1,\n "b": }'), /^--input is not valid JSON \(line 2, column 7\): /);
  assert.equal(await textFault('null'), '--input is null (line 1, column 1), but must be a JSON object.');
  assert.equal(await textFault(' [1]'), '--input is a list (line 1, column 2), but must be a JSON object.');
  assert.equal(await textFault('\n\n7'), '--input is a number (line 3, column 1), but must be a JSON object.');
  assert.match(await textFault('"x"'), /is text/);
  assert.match(await textFault('true'), /is a boolean/);
  assert.match(await textFault(' \n'), /^--input is empty/);
  assert.equal((await usageError(fromText('{x}'))).hint?.includes(`--input '{"name": "Ada"}'`), true);
});

test('reads 200 levels, refuses 201', async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  assert.ok((await fromText(nested(200))).request.a);
  assert.match(await textFault(nested(201)), /200 levels/);
  assert.match(await textFault(nested(100_000)), /200 levels/);
});

test('refuses options that exclude each other', async (t) => {
  const both = await usageError(readInput({ input: '{}', inputFile: 'x.json', cwd }));
  assert.equal(both.message, 'Use either --input or --input-file, not both.');
  assert.match((await usageError(readInput({ sheet: 'x', cwd }))).message, /--sheet .* needs --input-file/);
  assert.match((await usageError(readInput({ input: '{}', sheet: 'x', cwd }))).message, /--sheet .* needs --input-file/);
  assert.equal((await usageError(readInput({ inputFile: '', cwd }))).message, '--input-file needs the path of a file.');
  const csv = await usageError(readAs(t, 'in.csv', 'a\n1\n', 'S'));
  assert.equal(csv.message, "--input-file in.csv: a .csv file has no sheets, so you can't use --sheet.");
  assert.match((await usageError(readAs(t, 'in.JSON', '{}', 'S'))).message, /a \.json file has no sheets/);
});

test('a .json file: an object as it is, a list as rows and count', async (t) => {
  assert.deepEqual((await readAs(t, 'o.json', '\uFEFF{"x": {"y": [1, null]}}')).request, { x: { y: [1, null] } });
  assert.deepEqual((await readAs(t, 'l.JSON', '[{"a":1},{"a":2}]')).request, { rows: [{ a: 1 }, { a: 2 }], count: 2 });
  assert.deepEqual((await readAs(t, 'l.json', '[{"a":1}]')).request, { rows: [{ a: 1 }], count: 1 });
  assert.deepEqual((await readAs(t, 'l.json', '[]')).request, { rows: [], count: 0 });
});

test('reports the line of an invalid .json file', async (t) => {
  const fault = async (content: string | Uint8Array) => (await usageError(readAs(t, 'in.json', content))).message;
  assert.match(
    await fault('{"a": 1,\n "b": }'),
    /^--input-file in\.json, line 2: this is not valid JSON \(column 7\): .*[^.]\.$/,
  );
  assert.equal(await fault('"x"'), '--input-file in.json: expected a JSON object or list, but found text.');
  assert.equal(await fault(''), '--input-file in.json: the file is empty; expected a JSON object or list.');
  assert.equal(await fault(Buffer.from('{\n"a":"\xff"}', 'latin1')), '--input-file in.json, line 2: this is not UTF-8 text.');
  assert.match(await fault('['.repeat(100_000)), /200 levels/);
});

test('reports files that are missing or cannot be read', async (t) => {
  const cwd = temporaryFolder(t, { 'orders.csv': 'a\n1\n', 'notes.txt': 'x', noending: 'x' });
  mkdirSync(path.join(cwd, 'folder.csv'));
  const fault = (inputFile: string) => usageError(readInput({ inputFile, cwd }));
  assert.deepEqual(await fault('order.csv'), {
    message: '--input-file order.csv: the file does not exist.',
    hint: 'Did you mean "orders.csv"?',
  });
  assert.deepEqual(await fault('nowhere/x.csv'), {
    message: '--input-file nowhere/x.csv: the file does not exist.',
    hint: undefined,
  });
  assert.equal((await fault('orders.csv/x.csv')).message, '--input-file orders.csv/x.csv: the file does not exist.');
  assert.equal((await fault('folder.csv')).message, '--input-file folder.csv: this is a folder, not a file.');
  assert.equal(
    (await fault('notes.txt')).message,
    "--input-file notes.txt: wf can't read .txt files; use .json, .csv, .xlsx or .xls.",
  );
  assert.match((await fault('noending')).message, /wf can't read files without an extension; use \.json, \.csv, \.xlsx or \.xls/);
  assert.match((await fault(`${'x'.repeat(5000)}.csv`)).message, /can't be read \(ENAMETOOLONG\)\.$/);
  assert.deepEqual((await readInput({ inputFile: path.join(cwd, 'orders.csv'), cwd: '/' })).request, { a: 1 });
});

test('reports a file without permission', { skip: process.getuid?.() === 0 }, async (t) => {
  const cwd = temporaryFolder(t, { 'in.csv': 'a\n1\n' });
  chmodSync(path.join(cwd, 'in.csv'), 0);
  assert.match((await usageError(readInput({ inputFile: 'in.csv', cwd }))).message, /may not be read/);
});

test('refuses a named pipe instead of waiting for it', { skip: process.platform === 'win32' }, async (t) => {
  const cwd = temporaryFolder(t);
  execFileSync('mkfifo', [path.join(cwd, 'pipe.csv')]);
  assert.match((await usageError(readInput({ inputFile: 'pipe.csv', cwd }))).message, /not an ordinary file/);
});

test('refuses a file over 100 MB before reading it', async (t) => {
  const cwd = temporaryFolder(t);
  for (const name of ['in.csv', 'in.json', 'in.xlsx']) {
    writeFileSync(path.join(cwd, name), 'x');
    truncateSync(path.join(cwd, name), 100 * 1024 ** 2 + 1);
    const { message } = await usageError(readInput({ inputFile: name, cwd }));
    assert.equal(message, `--input-file ${name}: the file is too large: 101 MB, and the limit is 100 MB.`);
  }
});

test('reads the file again each time', async (t) => {
  const cwd = temporaryFolder(t, { 'in.csv': 'a\n1\n' });
  assert.deepEqual((await readInput({ inputFile: 'in.csv', cwd })).request, { a: 1 });
  writeFileSync(path.join(cwd, 'in.csv'), 'a\n2\n');
  assert.deepEqual((await readInput({ inputFile: 'in.csv', cwd })).request, { a: 2 });
});
