// Converts the cells of a `.csv` or `.xlsx` file to a decision table. Cells are written as in a workflow, without quotes.
import type { CellTest, CellValue, HeadingTest } from '../../../runtime/tables/table-types.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { nameWritten, writtenField } from '../vocabulary/field-names.js';
import { cellInOtherWords, headingInOtherWords } from '../vocabulary/table-in-other-words.js';
import type { BrokenTable, DecisionCell, DecisionRow, DecisionTable, Heading, TableFileLine } from './declaration-tree.js';

/** A cell as it is in the file; for a number, also the text that it is written as. */
export type FileCell = string | boolean | null | { readonly number: number; readonly written: string };

/** The content of a file, or why it can't be read. */
export type TableFile =
  /** The first row contains the headings. `row` counts from 1. */
  | { readonly ok: true; readonly rows: readonly { readonly cells: readonly FileCell[]; readonly row: number }[] }
  /** `what` continues a sentence after a colon, without a full stop. */
  | { readonly ok: false; readonly what: string; readonly hint?: string | undefined };

const TESTS: readonly HeadingTest[] = [
  ...(['is not', 'is above', 'is below', 'is at least', 'is at most', 'is between', 'is before', 'is after'] as const),
  ...(['starts with', 'contains', 'is'] as const),
];

/** Mistakes are reported at the file's name in the workflow, with their place in the file. */
export function tableFromFile(
  { name, at, span, line }: TableFileLine,
  found: TableFile,
  report: (diagnostic: Diagnostic) => void,
): DecisionTable | BrokenTable {
  const file = at.parts.join('');
  const broken: BrokenTable = { kind: 'broken', name };
  if (!found.ok) {
    report(catalogue.badTableFile(at.span, file, found.what, found.hint));
    return broken;
  }
  const [first, ...rest] = found.rows;
  if (first === undefined) {
    report(
      catalogue.badTableFile(at.span, file, 'it is empty', 'Its first row has the headings, and the rows of the table follow.'),
    );
    return broken;
  }
  const headings: Heading[] = [];
  const written = withoutEmptyEnd(first.cells);
  if (written.length === 0) {
    report(
      catalogue.badTableFile(at.span, file, 'its first row is empty', 'The first row has the headings: delete the rows above.'),
    );
    return broken;
  }
  for (const [column, cell] of written.entries()) {
    const heading = readHeading(textOf(cell));
    if (heading === undefined)
      report(catalogue.badHeading(at.span, textOf(cell), { file, row: first.row, column }, headingInOtherWords(textOf(cell))));
    else headings.push({ ...heading, span: at.span });
  }
  if (headings.length < written.length) return broken;
  const rows: DecisionRow[] = [];
  const doubtful = new Set<number>();
  for (const { cells, row } of rest) {
    const filled = withoutEmptyEnd(cells);
    if (filled.length === 0) continue;
    if (filled.length > headings.length) {
      report(catalogue.rowLength(at.span, filled.length, headings.length, { file, row, column: headings.length }));
      continue;
    }
    const read = headings.map((heading, column) => readCell(filled[column] ?? null, heading));
    for (const [column, cell] of read.entries()) {
      const content = textOf(filled[column] ?? null);
      if (cell === undefined) report(catalogue.badCell(at.span, content, 'file', { file, row, column }));
      // The cells of a sheet have numbers, which nobody has written with a point.
      if (typeof filled[column] === 'string' && /^-?\d+\.\d\d0$/.test(content))
        report(catalogue.notThousands(at.span, content, { file, row, column }));
      // A column repeats its mistakes.
      if (doubtful.has(column) || cell?.is !== 'test' || cell.test !== content) continue;
      const meant = cellInOtherWords(content, headings[column]?.test);
      if (meant === undefined) continue;
      // Amounts with a currency differ in more than their column.
      if (!/^(?=.*\d)(?=.*[€$£¥A-Z])[€$£¥A-Z\s\d.,-]+$/.test(content)) doubtful.add(column);
      report(catalogue.onlyText(at.span, content, meant, { file, row, column }));
    }
    rows.push({
      cells: read.map((cell): DecisionCell => ({ ...(cell ?? { is: 'unread' }), span: at.span })),
      line: row,
      span: at.span,
    });
  }
  return { kind: 'table', name, headings, rows, file, span, line };
}

function withoutEmptyEnd(cells: readonly FileCell[]): FileCell[] {
  let count = cells.length;
  while (count > 0 && isBlank(cells[count - 1] ?? null)) count--;
  // A row of a sheet may have gaps.
  return Array.from({ length: count }, (_, index) => cells[index] ?? null);
}

const isBlank = (cell: FileCell): boolean => cell === null || (typeof cell === 'string' && cell.trim() === '');

const textOf = (cell: FileCell): string =>
  cell === null ? '' : typeof cell === 'object' ? cell.written : typeof cell === 'string' ? cell.trim() : String(cell);

function readHeading(written: string): Omit<Heading, 'span'> | undefined {
  const words = written.split(/\s+/).join(' ');
  const test = TESTS.find((one) => words.endsWith(` ${one}`));
  const name = words.slice(0, test === undefined ? undefined : -test.length - 1);
  if (writtenField(name) === name) return { name, test };
  // A look-up gives a condition its value by a name in quotes.
  if (test !== undefined)
    return /[\p{L}\p{Nd}]/u.test(name) ? { name: /^".+"$/.test(name) ? nameWritten(name) : name, test } : undefined;
  // A result becomes a variable, whose name is one word. The words may also be a comparison that is none of ours.
  const asOne = name.replaceAll(' ', '-');
  return headingInOtherWords(written) === asOne && writtenField(asOne) === asOne ? { name: asOne, test } : undefined;
}

type ReadCell =
  | { readonly is: 'test'; readonly test: CellTest }
  | { readonly is: 'limits'; readonly low: CellValue; readonly high: CellValue };

const fixed = (test: CellTest): ReadCell => ({ is: 'test', test });

/** `undefined` for an empty cell, and for one with words but no number. */
function readCell(cell: FileCell, heading: Heading): ReadCell | undefined {
  if (isBlank(cell)) return undefined;
  if (typeof cell === 'boolean') return fixed(cell);
  if (cell !== null && typeof cell === 'object') {
    // The first digits of a postcode.
    if (heading.test === 'starts with') return fixed(cell.written);
    return fixed(heading.test === 'is' || heading.test === 'is not' ? ['same', cell.number, cell.written] : cell.number);
  }
  const written = textOf(cell);
  if (written === 'any' || written === '-') return fixed(null);
  if (heading.test === undefined) return fixed(written === 'empty' ? ['empty'] : fixedValue(written));
  if (heading.test === 'is between') {
    const [low, high, ...more] = written.split(/\sand\s/).map((one) => one.trim());
    if (low === undefined || high === undefined || more.length > 0) return undefined;
    return { is: 'limits', low: fixedValue(low), high: fixedValue(high) };
  }
  return heading.test === 'is' ? readTest(written) : fixed(fixedValue(written));
}

/** A cell under `is`, which may be more than a value. */
function readTest(written: string): ReadCell | undefined {
  if (written === 'empty') return fixed(['empty']);
  // As the answer, and as text.
  if (/^(?:yes|no)$/i.test(written)) return fixed(['one of', /^y/i.test(written), written]);
  const [first = '', second = ''] = written.split(/\s+/, 2);
  if (first === 'one' && second === 'of') {
    const values = written
      .replace(/^one\s+of\s*/, '')
      .split(',')
      .map((item) => item.trim());
    if (values.includes('')) return undefined;
    return fixed(['one of', ...values.flatMap((item) => [fixedValue(item), ...numberAsText(item)])]);
  }
  if (first === 'between') {
    const [low, high, ...more] = written
      .replace(/^between\s+/, '')
      .split(/\sand\s/)
      .map((one) => fixedValue(one.trim()));
    if (low === undefined || high === undefined || typeof low === 'boolean' || typeof high === 'boolean' || more.length > 0)
      return undefined;
    return fixed(['between', low, high]);
  }
  const word = first === 'at' ? `at ${second}` : first;
  if (word === 'above' || word === 'below' || word === 'at least' || word === 'at most') {
    const limit = fixedValue(
      written.slice(written.indexOf(word.split(' ').at(-1) ?? '') + (word.split(' ').at(-1) ?? '').length).trim(),
    );
    // It may be text that starts with the word.
    return typeof limit === 'number' ? fixed([word, limit]) : fixed(fixedValue(written));
  }
  return fixed(fixedValue(written));
}

const isNumber = (written: string): boolean =>
  /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/.test(written) && written.replace(/\D/g, '').length <= 15;

/** In quotes, anything is text. Spreadsheets write TRUE and FALSE. */
function fixedValue(written: string): string | number | boolean {
  if (/^".*"$/s.test(written) && written.length > 1) return written.slice(1, -1);
  if (/^(?:true|false)$/i.test(written)) return /^t/i.test(written);
  return isNumber(written) ? Number(written) : written;
}

const numberAsText = (written: string): string[] => (isNumber(written) ? [written] : []);
