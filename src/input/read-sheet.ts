// Reads an `.xlsx` or `.xls` file as a table. The only file that knows the sheet library; it runs in a separate process
// (`sheet-reader.ts`).
import { inflateRawSync } from 'node:zlib';
import type { CellObject, ParsingOptions, WorkBook } from 'xlsx';
import * as library from 'xlsx';
import type { Value } from '../../runtime/types.js';
import { columnLetters } from '../compiler/diagnostics/column-letters.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import { InputFault } from './load-file.js';
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
    throw new InputFault(file, `the sheet "${name}" is damaged, or has no cells`);
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
    if (!zip.ok) throw new InputFault(file, `it can't be read as a workbook: ${zip.message}`);
    const names = new Set(zip.names.map((name) => name.toLowerCase()));
    if (!names.has('[content_types].xml') || FOREIGN_PARTS.some((part) => names.has(part))) {
      throw new InputFault(file, 'this is not an Excel workbook', {
        hint: 'Open it in the program it comes from, and save it as .xlsx.',
      });
    }
    return zip.bytes;
  }
  // The library takes other versions for a zip and inflates whatever it finds there.
  const isCompound = startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) && (bytes[26] === 3 || bytes[26] === 4);
  if (isCompound && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw protectedByPassword(file);
  if (isCompound || isBareBiff(bytes)) return bytes;
  throw new InputFault(file, 'this is not a workbook, despite its name', {
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
  if (first === undefined) throw new InputFault(file, 'the workbook has no sheets');
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
    throw new InputFault(file, 'this workbook is damaged, or its format is not supported');
  }
}

/** A name like `constructor` finds what every object has, which is not a list of cells. */
function cellsOf(book: WorkBook, name: string): Cells | undefined {
  const cells: unknown = book.Sheets[name]?.['!data'];
  // The library wrote these with `dense`.
  return Array.isArray(cells) ? (cells as Cells) : undefined;
}

function protectedByPassword(file: string) {
  return new InputFault(file, 'the workbook is password-protected', { hint: 'Save a copy without a password.' });
}

function noSuchSheet(file: string, wanted: string, names: readonly string[]) {
  const near = closest(wanted, names);
  const hint = `${near === undefined ? '' : `Did you mean "${near}"? `}The sheets in this file are ${names.map((name) => `"${name}"`).join(', ')}.`;
  return new InputFault(file, `the workbook has no sheet "${wanted}" (--sheet)`, { hint });
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
  | { readonly ok: false; readonly what: InputFault['what']; readonly more: InputFault['more']; readonly isEmpty: boolean };

// Repacks an untrusted zip file: nothing is compressed any more, and all sizes are correct. Checksums are left out, because the
// library doesn't read them. Sheet libraries trust the sizes in a zip and inflate without limit, so this must come first. The limits of the
// reading process alone let a workbook of a few kilobytes take ten seconds before it is refused (test/input/hostile-workbook.test.ts).

type SafeZip =
  | { readonly ok: true; readonly bytes: Buffer; readonly names: string[] }
  | { readonly ok: false; readonly message: string };

/** Beyond the free size, a zip may grow by this factor. Spreadsheets reach a tenth of it. */
const MOST_GROWTH = 300;
const FREE_SIZE = 32 * 1024 * 1024;

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const END_RECORD = 22;

/**
 * Rejects a zip whose entries would take more than `limit` bytes before inflating anything, and an entry that is larger than
 * its directory says while inflating it. Never uses more memory than the sum of the sizes plus the largest one.
 */
export function safeZip(bytes: Buffer, limit: number): SafeZip {
  const entries = zipEntries(bytes);
  if (entries === undefined || entries.length > 0xffff) return { ok: false, message: 'the file is damaged or incomplete' };
  let content = 0;
  let names = 0;
  for (const entry of entries) {
    if (entry.encrypted) return { ok: false, message: 'it is password-protected' };
    content += entry.size;
    names += entry.name.length;
  }
  if (content > limit) {
    return {
      ok: false,
      message: `it would grow to ${Math.ceil(content / 1024 ** 2)} MB when unpacked, and the limit is ${limit / 1024 ** 2} MB`,
    };
  }
  if (content > FREE_SIZE && content > bytes.length * MOST_GROWTH) {
    return { ok: false, message: 'it would grow several hundred times when unpacked, which no real workbook does' };
  }
  const result = Buffer.allocUnsafe(content + 2 * names + entries.length * (LOCAL_HEADER + CENTRAL_HEADER) + END_RECORD);
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const inflated = inflate(entry);
    if (inflated === undefined) return { ok: false, message: 'the file is damaged' };
    const content = /\.(xml|rels)$/i.test(entry.name.toString()) ? withoutWideReferences(inflated) : inflated;
    directory.push(centralHeader(entry, content.length, at));
    at += localHeader(entry, content.length).copy(result, at);
    at += content.copy(result, at);
  }
  const start = at;
  for (const header of directory) at += header.copy(result, at);
  at += endRecord(entries.length, start, at - start).copy(result, at);
  return { ok: true, bytes: result.subarray(0, at), names: entries.map((entry) => entry.name.toString()) };
}

function inflate(entry: ZipEntry): Buffer | undefined {
  if (entry.method === STORED) return entry.data.length === entry.size ? entry.data : undefined;
  if (entry.method !== DEFLATED) return undefined;
  try {
    const inflated = inflateRawSync(entry.data, { maxOutputLength: Math.max(1, entry.size) });
    return inflated.length === entry.size ? inflated : undefined;
  } catch {
    // Broken data, or more of it than announced: zlib stops at the limit.
    return undefined;
  }
}

function localHeader(entry: ZipEntry, size: number): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt32LE(size, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(entry.name.length, 26);
  return Buffer.concat([header, entry.name]);
}

function centralHeader(entry: ZipEntry, size: number, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_HEADER);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt32LE(size, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, entry.name]);
}

function endRecord(count: number, offset: number, size: number): Buffer {
  const record = Buffer.alloc(END_RECORD);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

/** Longer parts are left alone, because they don't fit into one JavaScript string. */
const LONGEST_XML = 256 * 1024 * 1024;

/**
 * The sheet library cuts the number of a character beyond U+FFFF down to 16 bits, so `&#x1F600;` would become a different one. Replaces
 * `&#128512;` and `&#x1F600;` with the character in UTF-8. The result is never longer.
 */
function withoutWideReferences(xml: Buffer): Buffer {
  if (xml.length > LONGEST_XML || !xml.includes('&#')) return xml;
  // One character per byte, so that nothing else can change.
  const text = xml.toString('latin1');
  const changed = text.replace(/&#(?:x([0-9a-f]{5,6})|(\d{5,7}));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0xffff && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : reference;
  });
  return Buffer.from(changed, 'latin1');
}

/**
 * Lists the entries in the central directory of a zip file. Nothing is inflated here, so a file that would grow too large is
 * rejected before it does.
 */
interface ZipEntry {
  /** Name as stored. Not decoded, because nothing here needs to read it. */
  readonly name: Buffer;
  readonly method: number;
  readonly encrypted: boolean;
  /** The compressed bytes. */
  readonly data: Buffer;
  /** Size after inflating, in bytes, according to the directory. */
  readonly size: number;
}

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const NOT_HERE_16 = 0xffff;
const NOT_HERE_32 = 0xffffffff;

/**
 * The entries of the central directory (APPNOTE 4.3.12, 4.5.3 for ZIP64), or `undefined` if the file is damaged or not a zip.
 * The local headers only provide their own length: their sizes may be missing, or wrong on purpose.
 */
export function zipEntries(bytes: Buffer): ZipEntry[] | undefined {
  try {
    return entriesOf(bytes);
  } catch (error) {
    // The file is cut off, or an offset points nowhere.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function entriesOf(bytes: Buffer): ZipEntry[] | undefined {
  const directory = findDirectory(bytes);
  if (directory === undefined) return undefined;
  const entries: ZipEntry[] = [];
  let at = directory.offset;
  for (let index = 0; index < directory.count; index++) {
    if (bytes.readUInt32LE(at) !== CENTRAL) return undefined;
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const { size, compressed, offset } = sizes(bytes, at, nameEnd, extraEnd);
    if (bytes.readUInt32LE(offset) !== LOCAL) return undefined;
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    if (start + compressed > bytes.length || extraEnd > bytes.length) return undefined;
    entries.push({
      name: bytes.subarray(at + 46, nameEnd),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      data: bytes.subarray(start, start + compressed),
      size,
    });
    at = extraEnd + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** The end record is last, followed by a comment of at most 65,535 bytes. */
function findDirectory(bytes: Buffer): { offset: number; count: number } | undefined {
  const signature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
  const end = bytes.lastIndexOf(signature);
  if (end < 0 || end < bytes.length - 22 - 0xffff || bytes.readUInt32LE(end) !== END) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  const offset = bytes.readUInt32LE(end + 16);
  if (count !== NOT_HERE_16 && offset !== NOT_HERE_32) return { offset, count };
  if (end < 20 || bytes.readUInt32LE(end - 20) !== END_64_LOCATOR) return { offset, count };
  const end64 = wide(bytes, end - 20 + 8);
  if (bytes.readUInt32LE(end64) !== END_64) return undefined;
  return { offset: wide(bytes, end64 + 48), count: wide(bytes, end64 + 32) };
}

/** Sizes and offset of an entry. Those that don't fit into 32 bits are in the ZIP64 extra field, in this order. */
function sizes(
  bytes: Buffer,
  at: number,
  nameEnd: number,
  extraEnd: number,
): { size: number; compressed: number; offset: number } {
  const found = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
  for (let extra = nameEnd; extra + 4 <= extraEnd; extra += 4 + bytes.readUInt16LE(extra + 2)) {
    if (bytes.readUInt16LE(extra) !== 1) continue;
    let field = extra + 4;
    for (const [index, value] of found.entries()) {
      if (value !== NOT_HERE_32) continue;
      found[index] = wide(bytes, field);
      field += 8;
    }
  }
  const [size = 0, compressed = 0, offset = 0] = found;
  return { size, compressed, offset };
}

function wide(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
