// CSV: exact text, separators, line numbers, values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { numberText } from '../../runtime/values/number-format.js';
import { csvValue } from '../../src/input/csv-value.js';
import { csvSeparator, parseCsv } from '../../src/input/read-csv.js';
import { readInput } from '../../src/input/read-input.js';
import { processorTime, slowness } from '../processor-time.js';
import { runs } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { readAs, usageError } from './in-folder.js';

const cellsOf = (text: string, separator = ',') => {
  const parsed = parseCsv(text, separator);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.rows.map((row) => row.cells);
};

const hard = fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', 'a', ' ', 'é', '𝒳', '=', '0', '\u2028') });

test('reads back exactly whatever a writer quotes by RFC 4180', () => {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.array(fc.array(hard, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      (rows, separator, lineEnd, always) => {
        const written = (cell: string) => (always || cell === '' || /["\r\n,;\t]/.test(cell) ? quote(cell) : cell);
        const text = rows.map((row) => row.map(written).join(separator)).join(lineEnd);
        assert.deepEqual(cellsOf(text, separator), rows);
        assert.deepEqual(cellsOf(text + lineEnd, separator), rows);
      },
    ),
    { numRuns: runs(500) },
  );
});

test('rows know their first line, even after line breaks in quotes', () => {
  const parsed = parseCsv('a,b\r\n"1\r\n2\n3\r4",x\n5,6\r7,8', ',');
  assert.ok(parsed.ok);
  assert.deepEqual(
    parsed.rows.map((row) => row.line),
    [1, 2, 6, 7],
  );
});

test('a quote inside an unquoted cell is text; spaces after a closing quote are ignored', () => {
  assert.deepEqual(cellsOf('5" pipe,"x"  ,"y"\t\n'), [['5" pipe', 'x', 'y']]);
  assert.deepEqual(cellsOf('"x"\t"y" \tz', '\t'), [['x', 'y', 'z']]);
});

test('detects the separator that is most frequent in the header line, outside quotes', () => {
  const cases: [text: string, separator: string][] = [
    ['a,b\n1;2;3;4', ','],
    ['a;b,c;d', ';'],
    ['"a;b;c;d",e\n', ','],
    ['"a ""q;;;"" b",e\n', ','],
    ['"a\n;;;;",b', ','],
    ['a\tb,c\td', '\t'],
    ['one', ','],
    ['', ','],
    ['a,b;c', ','],
    ['\n;;;\n"";\r\na,b;c,d\n', ','],
    ['"never closed;;', ','],
  ];
  for (const [text, separator] of cases) assert.equal(csvSeparator(text), separator, JSON.stringify(text));
});

test('a cell is a number if it plainly is one', () => {
  const numbers = [
    '0',
    '42',
    '-3.5',
    '1234567890.25',
    '0.0000005',
    '12.50',
    '0.00',
    '-0',
    '-0.0',
    '100',
    '999999999999999',
    '1234567890.12345',
  ];
  for (const cell of numbers) assert.ok(Object.is(csvValue(cell), Number(cell) + 0), cell);
  const texts = [
    '00123',
    '+1',
    '+4470',
    '00.5',
    '-01',
    '-',
    '.5',
    '5.',
    '1.2.3',
    '--1',
    '0x10',
    '1_000',
    '1,5',
    ' 1',
    '1 ',
    '٣',
    '1e5',
    '1e+21',
    '1e-7',
    'NaN',
    'Infinity',
    '-Infinity',
    // Sixteen digits and more.
    '1234567890123456',
    '12345678901234567890',
    '9007199254740993',
    '0.30000000000000004',
    '1234567890.123456',
    '9'.repeat(400),
    '2026-03-01',
    '=1+1',
    'TRUE',
    'False',
    'null',
    ' ',
  ];
  for (const cell of texts) assert.equal(csvValue(cell), cell, cell);
  assert.equal(csvValue('true'), true);
  assert.equal(csvValue('false'), false);
  assert.equal(csvValue(''), null);
});

test('any digits that become a number mean the same', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^-?\d{1,20}(\.\d{1,12})?$/), (cell) => {
      const value = csvValue(cell);
      if (typeof value === 'string') return assert.equal(value, cell);
      const [whole = '', fraction = ''] = cell.split('.');
      const short = fraction.replace(/0+$/, '');
      assert.equal(numberText(Number(value)), `${whole}${short === '' ? '' : `.${short}`}`.replace(/^-0$/, '0'));
    }),
  );
});

test('--as-text keeps columns as text', async (t) => {
  const read = (asText: string) =>
    readInput({
      inputFile: 'in.csv',
      cwd: temporaryFolder(t, { 'in.csv': 'sku, zip ,flag,n\n007,10115,true,7.50\n8,,false,"8,0"\n' }),
      asText,
    });
  assert.deepEqual((await read(' zip,flag ,, n')).request.rows, [
    { sku: '007', zip: '10115', flag: 'true', n: '7.50' },
    { sku: 8, zip: null, flag: 'false', n: '8,0' },
  ]);
  assert.deepEqual(await usageError(read('zap')), {
    message: '--input-file in.csv: there is no column "zap" (--as-text).',
    hint: 'Did you mean "zip"?',
  });
  const none = await usageError(readInput({ asText: 'x', cwd: '.' }));
  assert.equal(none.message, '--as-text names columns of a table, so it needs --input-file with a .csv, .xlsx or .xls file.');
  const json = await usageError(readInput({ inputFile: 'in.json', cwd: temporaryFolder(t, { 'in.json': '{}' }), asText: 'x' }));
  assert.match(json.message, /--as-text has no effect/);
});

test('text is exact: accents without a byte order mark, leading zeros, formulas', async (t) => {
  const { request, warnings } = await readAs(
    t,
    'in.csv',
    'name,zip,phone,id,formula\nRenée,00123,+4470,12345678901234567890,=1+1\n',
  );
  assert.deepEqual(request, { name: 'Renée', zip: '00123', phone: '+4470', id: '12345678901234567890', formula: '=1+1' });
  assert.deepEqual(warnings, []);
});

test('reports invalid CSV with its line', async (t) => {
  const fault = async (content: string | Uint8Array) => (await usageError(readAs(t, 'in.csv', content))).message;
  assert.equal(await fault('a,b\n1,"two\nthree\n4,5\n'), '--input-file in.csv, line 2: this quote (") is never closed.');
  assert.match(
    await fault('a,b\n"1\n2",3\n"x"y,2\n'),
    /^--input-file in\.csv, line 4: there is more text after the closing quote of a cell/,
  );
  assert.equal(await fault(Buffer.from('a\n\nRen\xe9\n', 'latin1')), '--input-file in.csv, line 3: this is not UTF-8 text.');
  assert.match(await fault(''), /^--input-file in\.csv: the file is empty; expected a row of headers/);
  assert.match(await fault(' \n,,\n'), /the file is empty/);
  assert.match(await fault(Buffer.from('PK\u0003\u0004rest')), /a workbook or a zip, not CSV/);
});

test('reads 100,000 rows of ten columns in well under a second', async (t) => {
  const line = (index: number) =>
    `${index},Name ${index},user${index}@example.com,${index * 1.25},"a, ""b"" ${index}",true,,2026-03-01,00${index},x`;
  const content = `a,b,c,d,e,f,g,h,i,j\n${Array.from({ length: 100_000 }, (_, index) => line(index)).join('\n')}\n`;
  const took = processorTime();
  const { request } = await readAs(t, 'big.csv', content);
  assert.equal(request.count, 100_000);
  t.diagnostic(`${Math.round(took())} ms`);
  assert.ok(took() < 5_000 * slowness(), `${took()} ms`);
});

test('time stays proportional for one column and hundreds of thousands of lines', async (t) => {
  const { request } = await readAs(t, 'one.csv', `"n"\n${'"x"\n'.repeat(300_000)}`);
  assert.equal(request.count, 300_000);
});
