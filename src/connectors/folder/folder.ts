// Performs tasks for folders: reads, writes, appends to, deletes and lists files, never outside the folder. A file is read as the rows of a
// table, the value of JSON, or text.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { besideOthers, inChunks } from '../../../runtime/in-turns.js';
import type { Cancellation } from '../../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { type Failure, unusableAddress } from '../../../runtime/services/call-errors.js';
import { badFileValue, fileFailed, fileTooLarge } from '../../../runtime/services/connector-errors.js';
import type { FolderTask } from '../../../runtime/services/connector-types.js';
import { type FileEnding, fileEnding } from '../../../runtime/services/verbs.js';
import type { Value } from '../../../runtime/types.js';
import { decodeUtf8 } from '../../../runtime/values/json.js';
import { parseLongJson } from '../../../runtime/values/long-json.js';
import { record } from '../../../runtime/values/record.js';
import { output, show } from '../../../runtime/values/values.js';
import { faultCode } from '../../engine/files/file-fault.js';
import { InputFault } from '../../input/load-file.js';
import { csvSeparator, parseCsv, readCsv } from '../../input/read-csv.js';
import { readSheetApart } from '../../input/read-sheet-apart.js';
import { columnNames, EmptyTable, recordFactory, type Table } from '../../input/table.js';
import { cellOf } from '../tables/rows-table.js';
import { csvLine, tableFile } from '../tables/table-file.js';
import { missingOr, noSuchFile, type Place, placeInside, throughLink } from './inside.js';

/** Maximum files of a listing. */
const mostFiles = 100_000;

export async function performInFolder(task: FolderTask, cancellation: Cancellation): Promise<AttemptResult> {
  const { address, base, does, path: parts } = task;
  if (/[\u0000-\u001f\u007f]/.test(address) || address.trim() === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    return unusableAddress([], 'is not the path of a folder');
  const root = path.resolve(base, address);
  if (does === 'list') return listOf(root, parts);
  if (parts === undefined) return badFileValue('it does not name a file');
  const place = await placeInside(root, parts, does === 'write' || does === 'append');
  if (!place.ok) return place;
  if (place.name === '') return badFileValue('it does not name a file');
  const { signal } = cancellation;
  if (does === 'read') return readFileOf(place);
  if (does === 'write') return writeFileOf(place, task, signal);
  return does === 'append' ? appendTo(place, task, signal) : deleteFile(place);
}

async function deleteFile(place: Place): Promise<AttemptResult> {
  const problem = await ordinaryFile(place);
  if (problem !== undefined) return problem;
  try {
    await unlink(place.file);
    return { ok: true, value: { name: place.name } };
  } catch (error) {
    return missingOr(error, 'it');
  }
}

/** The files of a folder, sorted by name, without subfolders. A folder that doesn't exist yet has none. */
async function listOf(root: string, parts: FolderTask['path'] = []): Promise<AttemptResult> {
  // The slash makes the last name a folder, too.
  const place = await placeInside(root, parts.length === 0 ? [''] : [...parts, '/'], false);
  if (!place.ok && place.status === 404) return parts.length === 0 ? { ok: true, value: [] } : noSuchFolder();
  if (!place.ok) return place;
  try {
    const entries = await readdir(place.folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && !draftName.test(entry.name)).map(({ name }) => name);
    if (names.length > mostFiles) return badFileValue('the folder has more than 100,000 files');
    const files = await Promise.all(names.sort().map((name) => described(place.folder, name)));
    return { ok: true, value: files.filter((file) => file !== undefined) };
  } catch (error) {
    return missingOr(error, 'the folder');
  }
}

const noSuchFolder = (): AttemptResult => fileFailed('there is no such folder', { status: 404 });

/** `undefined` if the file has been deleted since. */
async function described(folder: string, name: string): Promise<{ name: string; size: number; changed: string } | undefined> {
  try {
    const { size, mtime } = await stat(path.join(folder, name));
    return { name, size, changed: mtime.toISOString() };
  } catch (error) {
    if (faultCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

// `add line using Reports at "log.csv" with row entry`: appends a line, with columns in the order of the file's headers.

/** Maximum bytes of the header row. */
const longestHead = 1024 * 1024;

/** The last append to each file, so that appends take turns. Two at once would both create the file. */
const last = new Map<string, Promise<unknown>>();

async function appendTo(place: Place, task: FolderTask, signal: AbortSignal): Promise<AttemptResult> {
  const before = last.get(place.file) ?? Promise.resolve();
  const work = before.then(() => append(place, task, signal));
  const settled = work.catch(() => undefined);
  last.set(place.file, settled);
  try {
    return await work;
  } finally {
    if (last.get(place.file) === settled) last.delete(place.file);
  }
}

async function append(place: Place, { parameters }: FolderTask, signal: AbortSignal): Promise<AttemptResult> {
  const given = new Map(parameters);
  const ending = fileEnding(place.name);
  if (ending === undefined) return unknownEnding();
  if (ending !== 'csv' && ending !== 'txt') return badFileValue(`nothing can be added to a .${ending} file`);
  const addition = ending === 'csv' ? rowOf(given.get('row')) : textOf(given.get('text'));
  if (typeof addition === 'string') return badFileValue(addition);
  const problem = await ordinaryFile(place);
  if (problem !== undefined && problem.status !== 404) return problem;
  try {
    if (problem !== undefined) {
      await replaceFile(place, Buffer.from(addition.begin()), signal);
    } else {
      const wrong = await addLine(place, addition);
      if (wrong !== undefined) return fileFailed(wrong);
    }
  } catch (error) {
    return missingOr(error, 'it');
  }
  return { ok: true, value: { name: place.name } };
}

/** The text to append to a new or empty file, and to one that starts with `head`. */
interface Addition {
  begin(): string;
  /** The result has a `text`, or says what is wrong. */
  follow(head: string): { readonly text: string } | { readonly problem: string };
}

function textOf(value: Value): Addition | string {
  if (value === null || value === undefined) return 'a line of a .txt file needs "text"';
  if (typeof value === 'object') return 'its text must not be a list or a record';
  const text = show(value);
  if (/[\n\r\u2028\u2029\v\f\u0085]/.test(text.replace(/\r?\n$/, '')))
    return 'its text has several lines, and each call adds one; write the file as a whole, or call once for each line';
  const line = `${text.replace(/\r?\n$/, '')}\n`;
  return { begin: () => line, follow: () => ({ text: line }) };
}

function rowOf(row: Value): Addition | string {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return 'a line of a .csv file needs "row", which must be a record';
  const keys = Object.keys(row);
  if (keys.length === 0) return 'its row has no fields';
  return {
    begin: () => csvLine(keys) + csvLine(keys.map((key) => cellOf(row[key]))),
    follow(head) {
      const header = headerOf(head);
      if (header === undefined) return { problem: 'its header row cannot be read' };
      const unknown = keys.find((key) => !header.names.includes(key));
      if (unknown !== undefined) return { problem: `the file has no column "${unknown}"` };
      const cells = header.names.map((name) => (Object.hasOwn(row, name) ? cellOf(row[name]) : null));
      const line = csvLine(cells, header.separator);
      return { text: header.hasCarriageReturns ? line.replace(/\n$/, '\r\n') : line };
    },
  };
}

/** The first row that isn't empty; it ends at the first line break outside quotes. */
function headerOf(head: string): { names: readonly string[]; separator: string; hasCarriageReturns: boolean } | undefined {
  const text = head.replace(/^\ufeff?[\r\n]*/, '');
  let inQuotes = false;
  let end = 0;
  for (; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && (character === '\n' || character === '\r')) break;
  }
  if (inQuotes) return undefined;
  const line = text.slice(0, end);
  const separator = csvSeparator(line);
  const parsed = parseCsv(line, separator);
  const [row] = parsed.ok ? parsed.rows : [];
  if (row === undefined) return undefined;
  return { names: columnNames(row.cells).names, separator, hasCarriageReturns: text.startsWith('\r\n', end) };
}

/** Appends in one write, and truncates a partial one. Returns what is wrong with the file. */
async function addLine({ file }: Place, addition: Addition): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    const head = await readAt(handle, 0, Math.min(size, longestHead));
    const whole = size <= longestHead ? head : head.subarray(0, head.lastIndexOf(0x0a) + 1);
    const decoded = decodeUtf8(whole);
    if (!decoded.ok) return `line ${decoded.line} of the file is not UTF-8`;
    const isEmpty = decoded.text.trim() === '' && size <= longestHead;
    const made = isEmpty ? { text: addition.begin() } : addition.follow(decoded.text);
    if ('problem' in made) return made.problem;
    const [lastByte] = size === 0 ? [0x0a] : await readAt(handle, size - 1, 1);
    const bytes = Buffer.from(lastByte === 0x0a ? made.text : `\n${made.text}`);
    await writeWholeLine(handle, bytes, size);
    return undefined;
  } finally {
    await handle.close();
  }
}

async function writeWholeLine(handle: FileHandle, bytes: Buffer, size: number): Promise<void> {
  let written = 0;
  try {
    ({ bytesWritten: written } = await handle.write(bytes));
    if (written === bytes.length) return await handle.sync();
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  } catch (error) {
    if (written > 0) await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

// Saves the pairs of a call atomically: writes a draft next to the file, then renames it.

/** Names of drafts, which listings omit. */
const draftName = /^\.wf-\d+-[0-9a-f]{12}\.tmp$/;

async function writeFileOf(place: Place, { parameters }: FolderTask, signal: AbortSignal): Promise<AttemptResult> {
  const { name } = place;
  const content = await contentOf(name, parameters);
  if (typeof content === 'string') return badFileValue(content);
  if (!Buffer.isBuffer(content)) return content;
  // Replaces only regular files.
  const problem = await ordinaryFile(place);
  if (problem !== undefined && problem.status !== 404) return problem;
  try {
    await replaceFile(place, content, signal);
  } catch (error) {
    return missingOr(error, 'it');
  }
  return { ok: true, value: { name, size: content.length } };
}

async function contentOf(
  name: string,
  pairs: FolderTask['parameters'],
): Promise<Buffer | string | ReturnType<typeof unknownEnding>> {
  const given = new Map(pairs);
  switch (fileEnding(name)) {
    case 'csv':
    case 'xlsx':
      return given.has('rows') ? tableFile(name, given.get('rows')) : 'a file with this ending needs "rows"';
    case 'txt': {
      const text = given.get('text');
      if (!given.has('text')) return 'a file with this ending needs "text"';
      return typeof text === 'object' && text !== null ? 'its text must not be a list or a record' : Buffer.from(show(text));
    }
    case 'json':
      return Buffer.from(`${JSON.stringify(output(record(pairs)), null, 2)}\n`);
    case undefined:
      return unknownEnding();
  }
}

/** @throws the error of `node:fs`, after removing the draft; the old file stays unchanged */
async function replaceFile({ folder, file }: Place, content: Buffer, signal: AbortSignal): Promise<void> {
  const draft = path.join(folder, `.wf-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** As large as a file for `--input-file`. */
const mostBytes = 100 * 1024 * 1024;

/** Opens a regular file without following links. */
async function ordinaryFile({ file }: Place): Promise<Failure | undefined> {
  const found = await lstat(file).catch((error: unknown) => missingOr(error, 'it'));
  if ('ok' in found) return found;
  if (found.isSymbolicLink()) return throughLink();
  return found.isFile() ? undefined : fileFailed(found.isDirectory() ? 'it is a folder' : 'it is not an ordinary file');
}

async function readFileOf(place: Place): Promise<AttemptResult> {
  const { file, name } = place;
  if (name === '') return noSuchFile();
  const ending = fileEnding(name);
  if (ending === undefined) return unknownEnding();
  const problem = await ordinaryFile(place);
  if (problem !== undefined) return problem;
  try {
    const bytes = await bytesOf(file);
    return Buffer.isBuffer(bytes) ? await readValueOf(ending, bytes, place) : bytes;
  } catch (error) {
    return missingOr(error, 'it');
  }
}

const unknownEnding = (): Failure =>
  badFileValue('its name must end in .csv, .xlsx, .json or .txt, which determines the kind of file');

async function bytesOf(file: string): Promise<Buffer | Failure> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    return size > mostBytes ? fileTooLarge('the file', '100 MB') : await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function readValueOf(ending: FileEnding, bytes: Buffer, { folder, name }: Place): Promise<AttemptResult> {
  try {
    if (ending === 'csv') return await rowsOf(await besideOthers(readCsv(name, bytes)));
    if (ending === 'xlsx') return await rowsOf(await readSheetApart(name, { cwd: folder }));
  } catch (error) {
    // `save` writes such a file for a list without rows.
    if (error instanceof EmptyTable) return { ok: true, value: [] };
    if (error instanceof InputFault)
      return fileFailed(error.more.line === undefined ? error.what : `line ${error.more.line}: ${error.what}`);
    throw error;
  }
  const parsed = ending === 'json' ? await besideOthers(parseLongJson(bytes)) : undefined;
  if (parsed?.ok === true) return parsed;
  if (parsed !== undefined) return fileFailed(`it is not valid JSON (line ${parsed.line}, column ${parsed.column})`);
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return fileFailed(`line ${decoded.line} of the file is not UTF-8`);
  return { ok: true, value: decoded.text.replace(/^\ufeff/, '') };
}

/** One record per row. The log mentions columns that were renamed or left out. */
async function rowsOf({ names, rows, warnings }: Table): Promise<AttemptResult> {
  const make = recordFactory(names);
  const value: Value[] = [];
  await besideOthers(
    inChunks(rows.length, (from, end) => {
      for (let at = from; at < end; at++) value.push(make(rows[at] ?? []));
      return end;
    }),
  );
  return { ok: true, value, ...(warnings.length === 0 ? {} : { warning: `${warnings.slice(0, 3).join('; ')}.` }) };
}
