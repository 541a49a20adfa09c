// Zips with false sizes, hostile workbooks, and files that are not workbooks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as xlsx from 'xlsx';
import { safeZip, zipEntries } from '../../src/input/read-sheet.js';
import { runs } from '../root.js';
import { readAs, readHere, usageError } from './in-folder.js';
import { type RawEntry, rawWorkbook, rawZip } from './raw-zip.js';

const ROWS = '<row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>';
const fault = async (...reading: Parameters<typeof readAs>) => (await usageError(readAs(...reading))).message;
const faultHere = async (...reading: Parameters<typeof readHere>) => (await usageError(readHere(...reading))).message;
/** Peak memory of this process, in MB. */
const peak = () => process.resourceUsage().maxRSS / 1024;

test('reads a handmade workbook, so the zips below fail only for their lies', async (t) => {
  assert.deepEqual((await readAs(t, 'in.xlsx', rawZip(rawWorkbook(ROWS)))).request, { a: 1 });
  const zip64 = rawWorkbook(ROWS).map((entry) => ({ ...entry, zip64: true }));
  assert.deepEqual((await readHere('in.xlsx', rawZip(zip64))).request, { a: 1 });
  const localLies = rawWorkbook(ROWS).map((entry) => ({ ...entry, localSize: 0xfffffffe }));
  assert.deepEqual((await readHere('in.xlsx', rawZip(localLies))).request, { a: 1 });
});

test('refuses a zip that claims to grow to 2 GB, before inflating it', async (t) => {
  const bomb: RawEntry = { name: 'xl/media/x.bin', content: 'small', claimedSize: 2_000_000_000 };
  const before = peak();
  assert.equal(
    await fault(t, 'in.xlsx', rawZip([...rawWorkbook(ROWS), bomb])),
    "--input-file in.xlsx: it can't be read as a workbook: it would grow to 1908 MB when unpacked, and the limit is 512 MB.",
  );
  assert.ok(peak() - before < 200, `${peak() - before} MB more`);
});

test('refuses many entries that are small alone and too large together', async () => {
  const entries = Array.from({ length: 60 }, (_, index) => ({ name: `x${index}`, content: 'x', claimedSize: 10 * 1024 ** 2 }));
  assert.match(await faultHere('in.xlsx', rawZip(entries)), /would grow to 600 MB/);
});

test('stops an entry that inflates to more than it claims', async (t) => {
  const lie: RawEntry = { name: 'xl/media/x.bin', content: Buffer.alloc(400 * 1024 ** 2), claimedSize: 1000 };
  const content = rawZip([...rawWorkbook(ROWS), lie]);
  assert.ok(content.length < 500_000);
  const before = peak();
  assert.equal(await fault(t, 'in.xlsx', content), "--input-file in.xlsx: it can't be read as a workbook: the file is damaged.");
  assert.ok(peak() - before < 200, `${peak() - before} MB more`);
});

test('detects sizes that are off by one byte', () => {
  for (const claimedSize of [4, 6]) {
    for (const stored of [true, false]) {
      const zip = safeZip(rawZip([{ name: 'x', content: 'hello', stored, claimedSize }]), 1000);
      assert.deepEqual(zip, { ok: false, message: 'the file is damaged' });
    }
  }
});

test('reads or refuses any truncated or modified file, and nothing worse', () => {
  const whole = rawZip(rawWorkbook(ROWS));
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
      (length, changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        const zip = safeZip(bytes.subarray(0, length), 1024 ** 2);
        if (zip.ok) assert.ok(zip.bytes.length < 1024 ** 2 + 10_000);
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('the safe zip holds the same entries, uncompressed', () => {
  const entries = [
    { name: 'a.xml', content: 'hello '.repeat(100) },
    { name: 'b', content: '', stored: true },
    { name: 'c', content: '' },
    { name: 'ü', content: 'x', stored: true },
  ];
  const zip = safeZip(rawZip(entries), 1000);
  assert.ok(zip.ok);
  const found = zipEntries(zip.bytes)?.map((entry) => ({
    name: String(entry.name),
    content: String(entry.data),
    method: entry.method,
  }));
  assert.deepEqual(
    found,
    entries.map(({ name, content }) => ({ name, content, method: 0 })),
  );
});

test('a comment whose ref is __proto__ leaves Object.prototype unchanged', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const comment = (ref: string) => `<comment ref="${ref}" authorId="0"><text><t>polluted</t></text></comment>`;
  const content = rawZip(rawWorkbook(ROWS, '<xf numFmtId="0"/>', ['__proto__', 'constructor', 'A1'].map(comment).join('')));
  assert.deepEqual((await readHere('in.xlsx', content)).request, { a: 1 });
  // Tests the library alone, too, with and without its dense mode. The comment at A1 shows that it read comments.
  const book = xlsx.read(content, { type: 'buffer' });
  assert.equal(book.Sheets.S?.A1.c?.[0]?.t, 'polluted');
  xlsx.read(content, { type: 'buffer', dense: true });
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
  assert.equal(Reflect.get({}, 'c'), undefined);
  assert.equal(Reflect.get({}, 't'), undefined);
});

test('a cell far outside any sheet does not hang the reader', async (t) => {
  const far = (ref: string, row: string) => `${ROWS}<row r="${row}"><c r="${ref}" t="str"><v>x</v></c></row>`;
  assert.match(await fault(t, 'in.xlsx', rawZip(rawWorkbook(far('A4294967290', '4294967290')))), /sheet "S" is damaged/);
  assert.match(await fault(t, 'in.xlsx', rawZip(rawWorkbook(far('ZZZZZZ3', '3')))), /sheet "S" is damaged/);
});

test('reports files that are not workbooks, whatever their name', async () => {
  assert.deepEqual(await usageError(readHere('in.xlsx', 'a,b\n1,2\n')), {
    message: '--input-file in.xlsx: this is not a workbook, despite its name.',
    hint: 'If it is text with separators, rename it to end in .csv. Otherwise open it in a spreadsheet program and save it as .xlsx.',
  });
  for (const content of [
    '',
    'PK',
    '<html><table><tr><td>a</td></tr></table></html>',
    'ID;PWXL;N;E',
    '{\\rtf1}',
    '\u0003dbf',
    '\t\u0008',
  ]) {
    const message = await faultHere('in.xls', content);
    assert.match(
      message,
      /^--input-file in\.xls: (this is not a workbook|it can't be read as a workbook)/,
      JSON.stringify(content),
    );
  }
  assert.match(await faultHere('in.xlsx', 'PK\u0003\u0004 not really'), /damaged or incomplete/);
  assert.match(await faultHere('in.xlsx', rawZip([{ name: 'hello.txt', content: 'hello' }])), /not an Excel workbook/);
  const openDocument = [...rawWorkbook(ROWS), { name: 'META-INF/manifest.xml', content: '' }];
  assert.match(await faultHere('in.xlsx', rawZip(openDocument)), /not an Excel workbook/);
  const document = rawWorkbook(ROWS).filter((entry) => !entry.name.includes('workbook'));
  assert.match(await faultHere('in.xlsx', rawZip(document)), /damaged, or its format is not supported/);
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  assert.match(await faultHere('in.xls', compound), /this is not a workbook/);
  compound[26] = 3;
  assert.match(await faultHere('in.xls', compound), /damaged/);
  const noSheet = rawWorkbook(ROWS).filter((entry) => !entry.name.includes('sheet1'));
  assert.match(await faultHere('in.xlsx', rawZip(noSheet)), /the sheet "S" is damaged/);
});

test('reports a password-protected workbook', async () => {
  const encrypted = xlsx.CFB.utils.cfb_new();
  xlsx.CFB.utils.cfb_add(encrypted, '/EncryptedPackage', Buffer.alloc(100));
  const bytes: Buffer = xlsx.CFB.write(encrypted, { type: 'buffer' });
  assert.deepEqual(await usageError(readHere('in.xlsx', bytes)), {
    message: '--input-file in.xlsx: the workbook is password-protected.',
    hint: 'Save a copy without a password.',
  });
  assert.match(await faultHere('in.xlsx', rawZip([{ name: 'x', content: 'x', encrypted: true }])), /password-protected/);
});

test('reads an old workbook with the newer extension, and the other way around', async () => {
  const book = { SheetNames: ['S'], Sheets: { S: xlsx.utils.aoa_to_sheet([['a'], [1]]) } };
  assert.deepEqual((await readHere('in.xlsx', xlsx.write(book, { type: 'buffer', bookType: 'biff8' }))).request, { a: 1 });
  assert.deepEqual((await readHere('in.xls', xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }))).request, { a: 1 });
  assert.deepEqual((await readHere('in.xls', xlsx.write(book, { type: 'buffer', bookType: 'biff2' }))).request, { a: 1 });
});

test('does not inflate a zip that hides behind the signature of an old workbook', async (t) => {
  const hidden = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), rawZip(rawWorkbook(ROWS))]);
  assert.match(await fault(t, 'in.xls', hidden), /this is not a workbook/);
});
