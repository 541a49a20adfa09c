// The bytes of an `.xlsx` or `.xls` file go in, the `request` of a run comes out. The only file that knows the sheet library, which
// is loaded at the first use.
import type { CellObject, ParsingOptions, WorkBook } from 'xlsx';
import { closest } from '../compiler/diagnostics/suggest.js';
import { inputFault } from './input-fault.js';
import { safeZip } from './safe-zip.js';
import { sheetRows } from './sheet-rows.js';
import { type TableRequest, tableRequest } from './table-request.js';

type Library = typeof import('xlsx');
type Cells = (CellObject[] | undefined)[];

/** Bytes that a workbook may take once it is unpacked. */
const UNPACKED_LIMIT = 512 * 1024 * 1024;
/** The rows and columns that a sheet can have; a file that says more lies. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** Values and number formats; no formulas, styles, formatted texts. */
const VALUES_ONLY: ParsingOptions = { dense: true, cellFormula: false, cellHTML: false, cellText: false, cellNF: true };
/** Formats that East Asian workbooks use without declaring them are known to the library only while it writes formatted texts. */
const NAME_ALL_FORMATS: ParsingOptions = { ...VALUES_ONLY, cellText: true, cellDates: true };

/** By these the library would take a zip for an OpenDocument or Numbers file, whatever else is in it. */
const FOREIGN_PARTS = ['meta-inf/manifest.xml', 'objectdata.xml', 'index/document.iwa'];

/**
 * Reads the sheet of that name, else the first one that is not hidden. What the file is, is told by its content: an old `.xls` that is
 * named `.xlsx`, or the other way round, is read all the same. @throws UsageError
 */
export async function readSheet(file: string, bytes: Buffer, wanted: string | undefined): Promise<TableRequest> {
  const safe = workbookBytes(file, bytes);
  const library = await import('xlsx');
  const { book, name } = openSheet(file, library, safe, wanted);
  const cells = cellsOf(book, name);
  if (cells === undefined || cells.length > MAX_ROWS || cells.some((row) => row !== undefined && row.length > MAX_COLUMNS)) {
    throw inputFault(file, `the sheet "${name}" is damaged, or is no sheet of cells`);
  }
  // SSF has no types; `is_date` takes a number format and gives a boolean.
  const isDate: (format: string) => boolean = library.SSF.is_date;
  let named: Cells | undefined;
  const isUnnamedDate = (row: number, column: number) => {
    named ??= cellsOf(open(file, library, safe, name, NAME_ALL_FORMATS), name) ?? [];
    return named[row]?.[column]?.t === 'd';
  };
  const read = sheetRows(cells, { isDate, isUnnamedDate, date1904: book.Workbook?.WBProps?.date1904 === true });
  const table = tableRequest(file, read.rows, 'row');
  return { request: table.request, warnings: [...read.warnings, ...table.warnings] };
}

/** The file as the library may see it: a zip without surprises, or an old workbook; everything else the library would take for text. */
function workbookBytes(file: string, bytes: Buffer): Buffer {
  if (startsWith(bytes, [0x50, 0x4b])) {
    const zip = safeZip(bytes, UNPACKED_LIMIT);
    if (!zip.ok) throw inputFault(file, `it cannot be read as a workbook: ${zip.message}`);
    const names = new Set(zip.names.map((name) => name.toLowerCase()));
    if (!names.has('[content_types].xml') || FOREIGN_PARTS.some((part) => names.has(part))) {
      throw inputFault(file, 'this is no Excel workbook', {
        hint: 'Open it in the program that it comes from and save it as .xlsx.',
      });
    }
    return zip.bytes;
  }
  // Of another version the library thinks that it is a zip, and inflates what it finds there.
  const isCompound = startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) && (bytes[26] === 3 || bytes[26] === 4);
  if (isCompound && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw protectedByPassword(file);
  if (isCompound || isBareBiff(bytes)) return bytes;
  throw inputFault(file, 'this is no sheet, although its name says so', {
    hint: 'If it is text with separators, let its name end in .csv; else open it in a spreadsheet program and save it as .xlsx.',
  });
}

/** Workbooks before Excel 5 stand in the file without a container: they begin with the record BOF (MS-XLS 2.4.21). */
function isBareBiff(bytes: Buffer): boolean {
  return bytes[0] === 0x09 && [0x00, 0x02, 0x04, 0x08].includes(bytes[1] ?? -1) && (bytes[2] ?? 0xff) <= 16 && bytes[3] === 0;
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function openSheet(file: string, library: Library, bytes: Buffer, wanted: string | undefined): { book: WorkBook; name: string } {
  const book = open(file, library, bytes, wanted ?? 0);
  const names = book.SheetNames;
  if (wanted !== undefined) {
    if (!names.includes(wanted)) throw noSuchSheet(file, wanted, names);
    return { book, name: wanted };
  }
  const first = names[0];
  if (first === undefined) throw inputFault(file, 'there is no sheet in it');
  const visible = names.findIndex((_, index) => !book.Workbook?.Sheets?.[index]?.Hidden);
  if (visible <= 0) return { book, name: first };
  return { book: open(file, library, bytes, visible), name: names[visible] ?? first };
}

function open(file: string, library: Library, bytes: Buffer, sheet: string | number, options = VALUES_ONLY): WorkBook {
  try {
    return library.read(bytes, { ...options, type: 'buffer', sheets: sheet });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/password/i.test(message)) throw protectedByPassword(file);
    throw inputFault(file, 'it cannot be read as a workbook: the file is damaged, or of a kind that is not known');
  }
}

/** A name like `constructor` finds what every object has; that is no list of cells. */
function cellsOf(book: WorkBook, name: string): Cells | undefined {
  const cells: unknown = book.Sheets[name]?.['!data'];
  // Written by the library with `dense`.
  return Array.isArray(cells) ? (cells as Cells) : undefined;
}

function protectedByPassword(file: string) {
  return inputFault(file, 'the workbook is protected by a password', { hint: 'Save a copy without a password.' });
}

function noSuchSheet(file: string, wanted: string, names: readonly string[]) {
  const near = closest(wanted, names);
  const hint = `${near === undefined ? '' : `Did you mean "${near}"? `}Sheets in this file: ${names.map((name) => `"${name}"`).join(', ')}.`;
  return inputFault(file, `there is no sheet "${wanted}" (--sheet)`, { hint });
}
