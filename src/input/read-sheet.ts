// Reads an `.xlsx` or `.xls` file as a table. The only file that knows the sheet library; it runs in a separate process
// (`sheet-reader.ts`).

import type { CellObject, ParsingOptions, WorkBook } from 'xlsx';
import * as library from 'xlsx';
import { closest } from '../compiler/diagnostics/suggest.js';
import { inputFault } from './input-fault.js';
import { safeZip } from './safe-zip.js';
import { sheetRows } from './sheet-rows.js';
import { MAX_COLUMNS, type Table, tableOf } from './table.js';

type Cells = (CellObject[] | undefined)[];

/** Maximum size of an unpacked workbook in bytes. */
const UNPACKED_LIMIT = 512 * 1024 * 1024;
/** Maximum rows of a sheet. A file that claims more is lying. */
const MAX_ROWS = 1_048_576;

/** Only values and number formats; no formulas, styles or formatted text. */
const VALUES_ONLY: ParsingOptions = { dense: true, cellFormula: false, cellHTML: false, cellText: false, cellNF: true };
/**
 * East Asian workbooks use some formats without declaring them. The library only knows them while it produces formatted text.
 */
const NAME_ALL_FORMATS: ParsingOptions = { ...VALUES_ONLY, cellText: true, cellDates: true };

/** These parts make the library treat a zip as an OpenDocument or Numbers file, whatever else it contains. */
const FOREIGN_PARTS = ['meta-inf/manifest.xml', 'objectdata.xml', 'index/document.iwa'];

/**
 * Reads the named sheet, or the first one that is not hidden. Goes by content, not by name: an old `.xls` named `.xlsx`, or the other way
 * around, works all the same.
 * @param keepsLines also returns the original rows
 * @throws UsageError
 */
export function readSheet(file: string, bytes: Buffer, wanted: string | undefined, keepsLines = false): Table {
  const safe = workbookBytes(file, bytes);
  const { book, name } = openSheet(file, safe, wanted);
  const cells = cellsOf(book, name);
  if (cells === undefined || cells.length > MAX_ROWS || cells.some((row) => row !== undefined && row.length > MAX_COLUMNS)) {
    throw inputFault(file, `the sheet "${name}" is damaged, or has no cells`);
  }
  // SSF has no types. `is_date` takes a number format and returns a boolean.
  const isDate: (format: string) => boolean = library.SSF.is_date;
  let named: Cells | undefined;
  const isUnnamedDate = (row: number, column: number) => {
    named ??= cellsOf(open(file, safe, name, NAME_ALL_FORMATS), name) ?? [];
    return named[row]?.[column]?.t === 'd';
  };
  const read = sheetRows(cells, { isDate, isUnnamedDate, date1904: book.Workbook?.WBProps?.date1904 === true });
  const table = tableOf(file, read.rows, 'row');
  return { ...table, warnings: [...read.warnings, ...table.warnings], ...(keepsLines ? { lines: read.rows } : {}) };
}

/**
 * The file in a form that is safe for the library: a cleaned zip, or an old workbook. The library would read anything else as
 * text.
 */
function workbookBytes(file: string, bytes: Buffer): Buffer {
  if (startsWith(bytes, [0x50, 0x4b])) {
    const zip = safeZip(bytes, UNPACKED_LIMIT);
    if (!zip.ok) throw inputFault(file, `it can't be read as a workbook: ${zip.message}`);
    const names = new Set(zip.names.map((name) => name.toLowerCase()));
    if (!names.has('[content_types].xml') || FOREIGN_PARTS.some((part) => names.has(part))) {
      throw inputFault(file, 'this is not an Excel workbook', {
        hint: 'Open it in the program it comes from, and save it as .xlsx.',
      });
    }
    return zip.bytes;
  }
  // The library takes other versions for a zip and inflates whatever it finds there.
  const isCompound = startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) && (bytes[26] === 3 || bytes[26] === 4);
  if (isCompound && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw protectedByPassword(file);
  if (isCompound || isBareBiff(bytes)) return bytes;
  throw inputFault(file, 'this is not a workbook, despite its name', {
    hint: 'If it is text with separators, rename it to end in .csv. Otherwise open it in a spreadsheet program and save it as .xlsx.',
  });
}

/** Workbooks from before Excel 5 have no container: they start directly with the BOF record (MS-XLS 2.4.21). */
function isBareBiff(bytes: Buffer): boolean {
  return bytes[0] === 0x09 && [0x00, 0x02, 0x04, 0x08].includes(bytes[1] ?? -1) && (bytes[2] ?? 0xff) <= 16 && bytes[3] === 0;
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function openSheet(file: string, bytes: Buffer, wanted: string | undefined): { book: WorkBook; name: string } {
  const book = open(file, bytes, wanted ?? 0);
  const names = book.SheetNames;
  if (wanted !== undefined) {
    if (!names.includes(wanted)) throw noSuchSheet(file, wanted, names);
    return { book, name: wanted };
  }
  const first = names[0];
  if (first === undefined) throw inputFault(file, 'the workbook has no sheets');
  const visible = names.findIndex((_, index) => !book.Workbook?.Sheets?.[index]?.Hidden);
  if (visible <= 0) return { book, name: first };
  return { book: open(file, bytes, visible), name: names[visible] ?? first };
}

function open(file: string, bytes: Buffer, sheet: string | number, options = VALUES_ONLY): WorkBook {
  try {
    return library.read(bytes, { ...options, type: 'buffer', sheets: sheet });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/password/i.test(message)) throw protectedByPassword(file);
    throw inputFault(file, 'this workbook is damaged, or its format is not supported');
  }
}

/** A name like `constructor` finds what every object has, which is not a list of cells. */
function cellsOf(book: WorkBook, name: string): Cells | undefined {
  const cells: unknown = book.Sheets[name]?.['!data'];
  // The library wrote these with `dense`.
  return Array.isArray(cells) ? (cells as Cells) : undefined;
}

function protectedByPassword(file: string) {
  return inputFault(file, 'the workbook is password-protected', { hint: 'Save a copy without a password.' });
}

function noSuchSheet(file: string, wanted: string, names: readonly string[]) {
  const near = closest(wanted, names);
  const hint = `${near === undefined ? '' : `Did you mean "${near}"? `}The sheets in this file are ${names.map((name) => `"${name}"`).join(', ')}.`;
  return inputFault(file, `the workbook has no sheet "${wanted}" (--sheet)`, { hint });
}
