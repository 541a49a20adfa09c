// Performs tasks for folders: reads, writes, appends to, deletes and lists files, never outside the folder.
import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Cancellation } from '../../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { unusableAddress } from '../../../runtime/services/call-errors.js';
import { badFileValue, fileFailed } from '../../../runtime/services/connector-errors.js';
import type { FolderTask } from '../../../runtime/services/connector-types.js';
import { faultCode } from '../../engine/files/file-fault.js';
import { appendTo } from './append-line.js';
import { missingOr, type Place, placeInside } from './inside.js';
import { ordinaryFile, readFileOf } from './read-file.js';
import { draftName, writeFileOf } from './write-file.js';

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
