// Workbooks: the value of each type of cell, the choice of the sheet, dates in every time zone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as xlsx from 'xlsx';
import { readSheet, serialDate } from '../../src/input/read-sheet.js';
import { readAs, readHere, usageError } from './in-folder.js';
import { rawWorkbook, rawZip } from './raw-zip.js';

type Row = (xlsx.CellObject | string | number | boolean | null)[];
const sheet = (rows: Row[]) => xlsx.utils.aoa_to_sheet(rows);
const file = (sheets: Record<string, Row[]>, bookType: xlsx.BookType = 'xlsx', more: Partial<xlsx.WorkBook> = {}): Buffer => {
  const names = Object.keys(sheets);
  const book: xlsx.WorkBook = {
    SheetNames: names,
    Sheets: Object.fromEntries(names.map((name) => [name, sheet(sheets[name] ?? [])])),
    ...more,
  };
  return xlsx.write(book, { type: 'buffer', bookType, compression: true });
};
const date = (serial: number, z = 'yyyy-mm-dd'): xlsx.CellObject => ({ t: 'n', v: serial, z });

for (const bookType of ['xlsx', 'biff8', 'biff5', 'xlsb'] as const) {
  const ending = bookType.startsWith('biff') ? 'xls' : 'xlsx';
  test(`${bookType}: reads every type of cell`, async (t) => {
    const content = file(
      {
        Data: [
          [' name ', 'n', 'b', 'day', 'moment', 'time', 'formula', 'na', 'div', 'blank', 'zip'],
          [
            bookType === 'biff5' ? 'Rene' : 'Renée "x"', // The library writes biff5 without accents.
            -3.25,
            true,
            date(46082),
            date(46082 + 9.5 / 24, 'd.m.yyyy hh:mm'),
            date(0.5, 'h:mm'),
            { t: 'n', v: 42, f: 'SUM(1,41)' },
            { t: 'e', v: 0x2a },
            { t: 'e', v: 0x07 },
            null,
            '00123',
          ],
        ],
      },
      bookType,
    );
    const { request, warnings } = await (bookType === 'xlsx'
      ? readAs(t, `in.${ending}`, content)
      : readHere(`in.${ending}`, content));
    assert.deepEqual(request, {
      name: bookType === 'biff5' ? 'Rene' : 'Renée "x"', // The library writes biff5 without accents.
      n: -3.25,
      b: true,
      day: '2026-03-01',
      moment: '2026-03-01T09:30:00',
      time: '12:00:00',
      formula: 42,
      na: null,
      div: null,
      blank: null,
      zip: '00123',
    });
    assert.deepEqual(warnings, [
      `in.${ending}: cell H2 contains #N/A; using empty.`,
      `in.${ending}: cell I2 contains #DIV/0!; using empty.`,
    ]);
  });
}

test('dates do not depend on the time zone of the machine', (t) => {
  const before = process.env.TZ;
  t.after(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  const content = file({
    S: [
      ['day', 'moment', 'early'],
      [date(46082), date(46082 + 86_399 / 86_400), date(1)],
    ],
  });
  const old = file(
    {
      S: [
        ['day', 'moment'],
        [date(46082 - 1462), date(46082.25 - 1462)],
      ],
    },
    'xlsx',
    { Workbook: { WBProps: { date1904: true } } },
  );
  for (const zone of ['America/New_York', 'Africa/Lagos', 'Asia/Tokyo', 'Pacific/Kiritimati', 'UTC']) {
    process.env.TZ = zone;
    // In this process; the other one has the time zone of the machine.
    const { rows } = readSheet('in.xlsx', content, undefined);
    assert.deepEqual(rows, [['2026-03-01', '2026-03-01T23:59:59', '1900-01-01']], zone);
    assert.deepEqual(readSheet('in.xlsx', old, undefined).rows, [['2026-03-01', '2026-03-01T06:00:00']], zone);
  }
});

test('serial numbers: both date systems, times, elapsed hours, and what is not a date', () => {
  const cases: [serial: number, format: string, date1904: boolean, text: string | undefined][] = [
    [0, 'yyyy', false, '00:00:00'],
    [1, 'yyyy', false, '1900-01-01'],
    [59, 'yyyy', false, '1900-02-28'],
    [61, 'yyyy', false, '1900-03-01'],
    [46082, 'yyyy', false, '2026-03-01'],
    [46082.395833333336, 'yyyy', false, '2026-03-01T09:30:00'],
    [46082.39583622685, 'yyyy', false, '2026-03-01T09:30:00.250'],
    [46082.9999999999, 'yyyy', false, '2026-03-02'],
    [2958465.5, 'yyyy', false, '9999-12-31T12:00:00'],
    [2958466, 'yyyy', false, undefined],
    [-1, 'yyyy', false, undefined],
    [Number.NaN, 'yyyy', false, undefined],
    [1, 'yyyy', true, '1904-01-02'],
    [2957003, 'yyyy', true, '9999-12-31'],
    [2957004, 'yyyy', true, undefined],
    [1.5, '[h]:mm', false, '36:00:00'],
    [1.5, '[$-409]d-mmm hh:mm', false, '1900-01-01T12:00:00'],
    [0.3958333333333333, 'h:mm', true, '09:30:00'],
  ];
  for (const [serial, format, date1904, text] of cases)
    assert.equal(serialDate(serial, format, date1904), text, `${serial} ${format}`);
});

test('numbers with other formats stay numbers', async () => {
  const formats = ['#,##0.00', '0%', '[Red]0', '0.00E+00', '"day" 0', '_-* #,##0 €_-', '@', '0 \\d'];
  const { request, warnings } = await readHere('in.xlsx', file({ S: [formats, formats.map((z) => date(46082, z))] }));
  assert.deepEqual(request, Object.fromEntries(formats.map((z) => [z.trim(), 46082])));
  assert.deepEqual(warnings, []);
});

test('reads date formats used without a declaration, as in East Asian workbooks', async () => {
  const rows =
    '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c><c r="C1" t="str"><v>c</v></c></row><row r="2"><c r="A2" s="1"><v>46082</v></c><c r="B2" s="1"><v>46083</v></c><c r="C2" s="2"><v>7</v></c></row>';
  const content = rawZip(rawWorkbook(rows, '<xf numFmtId="0"/><xf numFmtId="31"/><xf numFmtId="41"/>'));
  assert.deepEqual((await readHere('in.xlsx', content)).request, { a: '2026-03-01', b: '2026-03-02', c: 7 });
});

test('reads cells with unreadable numbers, inline text, booleans, ISO dates', async () => {
  const cell = (at: string, type: string, content: string, style = '') => `<c r="${at}" t="${type}"${style}>${content}</c>`;
  const rows = `<row r="1">${['A', 'B', 'C', 'D', 'E'].map((column) => cell(`${column}1`, 'str', `<v>${column}</v>`)).join('')}</row><row r="2">${cell('A2', 'n', '<v>abc</v>')}${cell('B2', 'inlineStr', '<is><t>in </t></is>')}${cell('C2', 'b', '<v>0</v>')}${cell('D2', 'd', '<v>2026-03-01T09:30:00</v>', ' s="1"')}${cell('E2', 'str', '<v></v>')}</row>`;
  const { request, warnings } = await readHere('in.xlsx', rawZip(rawWorkbook(rows, '<xf numFmtId="0"/><xf numFmtId="22"/>')));
  assert.deepEqual(request, { A: null, B: 'in ', C: false, D: '2026-03-01T09:30:00', E: null });
  assert.deepEqual(warnings, ['in.xlsx: cell A2 contains an unreadable number; using empty.']);
});

test('reads characters beyond U+FFFF, however they are written', async () => {
  const rows =
    '<row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>&#x1F600;&#128512;😀&#233;é&amp;#128512;&#x110000;</t></is></c></row>';
  const { request } = await readHere('in.xlsx', rawZip(rawWorkbook(rows)));
  assert.equal(String(request.a).slice(0, -1), '😀😀😀éé&#128512;');
});

test('several rows; leaves out empty rows, and columns before the table', async () => {
  const content = file({ S: [[], [null, null, 'a', 'b'], [], [null, null, 1], [null, null, null, ' '], [null, null, null, 2]] });
  const { request, warnings } = await readHere('in.xlsx', content);
  assert.deepEqual(request, {
    rows: [
      { a: 1, b: null },
      { a: null, b: 2 },
    ],
    count: 2,
  });
  assert.deepEqual(warnings, []);
});

test('headers of a sheet: dates and numbers become text, empty and repeated ones get new names', async () => {
  const { request, warnings } = await readHere(
    'in.xlsx',
    file({
      S: [
        ['x', null, date(46082), 2024, 'x', '__proto__'],
        [1, 2, 3, 4, 5, 6, 7],
      ],
    }),
  );
  assert.deepEqual(
    new Map(Object.entries(request)),
    new Map(Object.entries(JSON.parse('{"x":1,"column-2":2,"2026-03-01":3,"2024":4,"x-2":5,"__proto__":6,"column-7":7}'))),
  );
  assert.deepEqual(warnings, [
    'in.xlsx: row 2: the row has 7 cells, but there are only 6 headers.',
    'in.xlsx: column 2 has no header; using "column-2".',
    'in.xlsx: the header "x" appears more than once; using "x-2" for column 5.',
    'in.xlsx: column 7 has no header; using "column-7".',
  ]);
});

for (const bookType of ['xlsx', 'biff8'] as const) {
  test(`${bookType}: reads the first visible sheet, or the one that --sheet names`, async () => {
    const name = bookType === 'xlsx' ? 'in.XLSX' : 'in.xls';
    const hidden = {
      Workbook: {
        Sheets: [
          { name: 'Config', Hidden: 1 as const },
          { name: 'Orders', Hidden: 0 as const },
          { name: 'Notes', Hidden: 0 as const },
        ],
      },
    };
    const content = file({ Config: [['k'], ['c']], Orders: [['k'], ['o']], Notes: [['k'], ['n']] }, bookType, hidden);
    assert.deepEqual((await readHere(name, content)).request, { k: 'o' });
    assert.deepEqual((await readHere(name, content, 'Notes')).request, { k: 'n' });
    assert.deepEqual((await readHere(name, content, 'Config')).request, { k: 'c' });
    assert.deepEqual(await usageError(readHere(name, content, 'orders')), {
      message: `--input-file ${name}: the workbook has no sheet "orders" (--sheet).`,
      hint: 'Did you mean "Orders"? The sheets in this file are "Config", "Orders", "Notes".',
    });
    assert.equal(
      (await usageError(readHere(name, content, 'constructor'))).hint,
      'The sheets in this file are "Config", "Orders", "Notes".',
    );
  });
}

test('a sheet may be called __proto__', async () => {
  const parts = rawWorkbook('<row r="1"><c t="str"><v>k</v></c></row><row r="2"><c t="str"><v>x</v></c></row>').map((part) => ({
    ...part,
    content: String(part.content).replace('name="S"', 'name="__proto__"'),
  }));
  assert.deepEqual((await readHere('in.xlsx', rawZip(parts), '__proto__')).request, { k: 'x' });
});

test('reads a sheet without data, and one without anything', async () => {
  assert.deepEqual((await readHere('in.xlsx', file({ S: [['a', 'b']] }))).request, { rows: [], count: 0 });
  assert.match((await usageError(readHere('in.xlsx', file({ S: [] })))).message, /the file is empty/);
});

test('reads 20,000 rows of an xlsx', async (t) => {
  const rows: Row[] = [['id', 'name', 'amount', 'when', 'paid', 'note']];
  for (let index = 0; index < 20_000; index++)
    rows.push([index, `Name ${index}`, index * 1.25, date(46000 + (index % 300)), index % 2 === 0, `note ${index % 50}`]);
  const content = file({ S: rows });
  const { request } = await readAs(t, 'big.xlsx', content);
  assert.equal(request.count, 20_000);
});
