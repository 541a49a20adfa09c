// Reads an `.xlsx` or `.xls` file as a table. The only file that knows the sheet library; it runs in a separate process
// (`sheet-reader.ts`).
import type { CellObject, ParsingOptions, WorkBook } from 'xlsx';
import * as library from 'xlsx';
import type { Value } from '../../runtime/types.js';
import { columnLetters } from '../compiler/diagnostics/column-letters.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import { inputFault } from './load-file.js';
import { safeZip } from './safe-zip.js';
import { MAX_COLUMNS, type Table, type TableRow, tableOf } from './table.js';

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

interface SheetFormats {
  /** Whether a number format is for dates or times. */
  readonly isDate: (format: string) => boolean;
  /** Whether a cell whose format the library could not name contains a date (row and column counted from 0). */
  readonly isUnnamedDate: (row: number, column: number) => boolean;
  /** Days count from 1904 instead of 1900. */
  readonly date1904: boolean;
}

interface SheetRows {
  readonly rows: TableRow[];
  /** Without file name and full stop. */
  readonly warnings: string[];
}

/** The library's codes for errors in cells (MS-XLSB, 2.5.97.2). */
const ERRORS: ReadonlyMap<unknown, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
]);

/**
 * Numbers, booleans and text as stored; formulas as their stored values; dates as ISO 8601 text; errors as `null`, with a
 * warning that names the cell. Skips empty columns on the left, because a table may start in the middle of a sheet.
 */
function sheetRows(cells: readonly (readonly (CellObject | undefined)[] | undefined)[], formats: SheetFormats): SheetRows {
  const rows: TableRow[] = [];
  const warnings: string[] = [];
  const dateFormats = new Map<string, boolean>();
  const isDate = (format: string) => {
    const known = dateFormats.get(format) ?? formats.isDate(format);
    dateFormats.set(format, known);
    return known;
  };
  const cellValue = (cell: CellObject, row: number, column: number): Value => {
    if (cell.t === 'n' && typeof cell.v === 'number' && Number.isFinite(cell.v)) {
      const format = String(cell.z ?? '');
      const dated = format === '' ? formats.isUnnamedDate(row, column) : isDate(format);
      const date = dated ? serialDate(cell.v, format, formats.date1904) : undefined;
      // The library distinguishes -0 from 0; no spreadsheet shows the difference.
      return date ?? (cell.v === 0 ? 0 : cell.v);
    }
    if (cell.t === 'b') return cell.v === true;
    if (cell.t === 's') return cell.v === undefined || cell.v === '' ? null : String(cell.v);
    if (cell.t === 'e' || cell.t === 'n') {
      const found = cell.t === 'e' ? (ERRORS.get(cell.v) ?? 'an error') : 'an unreadable number';
      warnings.push(`cell ${columnLetters(column)}${row + 1} contains ${found}; using empty`);
    }
    return null;
  };
  let firstColumn = Number.POSITIVE_INFINITY;
  cells.forEach((row, index) => {
    const values: Value[] = [];
    row?.forEach((cell, column) => {
      const value = cell === undefined ? null : cellValue(cell, index, column);
      if (value === null) return;
      values[column] = value;
      firstColumn = Math.min(firstColumn, column);
    });
    rows.push({ cells: values, line: index + 1 });
  });
  if (firstColumn === 0) return { rows, warnings };
  return { rows: rows.map(({ cells, line }) => ({ cells: cells.slice(firstColumn), line })), warnings };
}

const MS_OF_DAY = 86_400_000;
/**
 * Days from 1970-01-01 back to the day before day 1 of each date system. Before March 1900, Excel counts one day less, because
 * it believes in 29 February 1900.
 */
const DAY_ZERO_1900 = -25_569;
const DAY_ZERO_1904 = -24_107;
const FALSE_LEAP_DAY = 60;
/** 9999-12-31, the last day that a workbook can represent. */
const LAST_DAY_1900 = 2_958_465;

/**
 * `2026-03-01` for a whole number of days, `2026-03-01T09:30:00` with a time, `09:30:00` for a time without a date (less than
 * one day); with milliseconds only if there are any. For formats of elapsed hours, minutes or seconds (`[h]:mm`), gives the
 * hours, even beyond 24: `36:00:00`. `undefined` if a workbook shows no date for the number (negative, or after the year 9999).
 */
export function serialDate(serial: number, format: string, date1904: boolean): string | undefined {
  const dayZero = date1904 ? DAY_ZERO_1904 : DAY_ZERO_1900;
  if (!(serial >= 0) || serial >= LAST_DAY_1900 + 1 - (DAY_ZERO_1904 - DAY_ZERO_1900) * Number(date1904)) return undefined;
  // A time is a fraction of a day, so it is never quite exact: 09:30 is 0.39583333333333331.
  const total = Math.round(serial * MS_OF_DAY);
  if (/\[[hms]+\]/i.test(format) || total < MS_OF_DAY) return clock(total);
  const early = !date1904 && serial < FALSE_LEAP_DAY ? 1 : 0;
  const days = Math.floor(total / MS_OF_DAY);
  const date = new Date((days + dayZero + early) * MS_OF_DAY).toISOString().slice(0, 10);
  const time = total - days * MS_OF_DAY;
  return time === 0 ? date : `${date}T${clock(time)}`;
}

function clock(total: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const ms = total % 1000;
  const text = `${two(total / 3_600_000)}:${two((total / 60_000) % 60)}:${two((total / 1000) % 60)}`;
  return ms === 0 ? text : `${text}.${String(ms).padStart(3, '0')}`;
}

/** The only argument of `sheet-reader.cjs`. */
export interface SheetRequest {
  /** As the user wrote it, relative to `cwd`. */
  readonly file: string;
  readonly cwd: string;
  readonly sheet?: string | undefined;
  readonly asText?: string | undefined;
  /** Also return the original rows. */
  readonly keepsLines?: boolean;
  /** Maximum milliseconds of processor time. A busy machine stretches every other time. */
  readonly processorMs: number;
}

/** All of its standard output. */
export type SheetReply =
  | { readonly ok: true; readonly table: Table }
  | { readonly ok: false; readonly message: string; readonly hint?: string | undefined };
