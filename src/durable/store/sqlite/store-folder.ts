// Prepares the folder of a store: creates it if it is missing, and refuses one with other content.
import {
  chmodSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  statfsSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { faultCode, fileFault } from '../../../engine/files/file-fault.js';
import { makeFolder } from '../../../engine/files/make-folder.js';
import { UsageError } from '../../../engine/usage-error.js';

/** The file that all processes share. */
export const SHARED_FILE = 'common.db';

/** Everything that wf puts into a store. */
const OWN_NAMES = /^(?:common\.db|s\d+\.(?:db|lock))(?:-(?:wal|shm|journal))?$/;

/** A file with runs. They need what is in the shared file, which is there first. */
const RUNS_NAME = /^s\d+\.db$/;

/** Network file systems, by their number in statfs(2): locks on them don't hold. */
const networkSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
]);

/**
 * Creates the folder of a store, private to this user, or uses an existing one.
 * @param given as the user wrote it, for messages; relative to `cwd`
 * @param systemOf number of the file system that a folder is on; for tests
 * @throws UsageError for a file, a folder with other content or half a store, or a network file system; then nothing is changed
 */
export function prepareStoreFolder(given: string, cwd: string, systemOf: (folder: string) => number = fileSystemOf): string {
  if (given === '' || given.includes('\0'))
    throw new UsageError('--store needs a folder, such as ./runs, or a postgres:// address.');
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|(?:postgres(?:ql)?|mysql|mariadb|sqlite):)/i.test(given)) {
    throw new UsageError(
      `--store takes a folder or a postgres:// address, not an address that begins with ${given.split(':')[0]}:.`,
      'Write an address like postgres://user:password@host:5432/database.',
    );
  }
  const folder = path.resolve(cwd, given);
  try {
    const isNew = !existsSync(folder);
    refuseNetwork(given, isNew ? nearestFolder(folder) : folder, systemOf);
    if (isNew) {
      makeFolder(folder, 0o700);
      syncFolder(path.dirname(folder));
      return folder;
    }
    refuseOther(given, folder);
    return folder;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The store ${given} cannot be used: ${fileFault(error)}.`, 'Give --store a folder that can be written.');
  }
}

function refuseOther(given: string, folder: string): void {
  if (!lstatSync(folder).isDirectory() && !isLinkToFolder(folder)) {
    throw new UsageError(`The store ${given} cannot be used: it is a file.`, 'Give --store a folder, such as ./runs.');
  }
  const names = readdirSync(folder);
  // A process that closes the store deletes logs meanwhile.
  const isLink = (name: string): boolean =>
    lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const link = names.find((name) => OWN_NAMES.test(name) && isLink(name));
  if (link !== undefined) {
    throw new UsageError(
      `The store ${given} cannot be used: its file ${link} is a link to another file.`,
      'Nothing was touched. Find out who made the link; the store itself makes none. To keep a store elsewhere, make the whole folder a link.',
    );
  }
  const loss = lossOfShared(folder, names);
  if (loss !== undefined && names.some((name) => RUNS_NAME.test(name))) {
    throw new UsageError(
      `The store ${given} cannot be used: its file ${SHARED_FILE} is ${loss}.`,
      'Nothing was touched. Restore the whole folder from a backup.',
    );
  }
  if (names.includes(SHARED_FILE) || names.every((name) => OWN_NAMES.test(name))) {
    // An empty folder may be a mounted volume. The content of a store is private.
    if (names.length === 0) chmodSync(folder, 0o700);
    return;
  }
  throw new UsageError(
    `The store ${given} cannot be used: the folder has other files in it, and no store.`,
    'Nothing was touched. Give --store a new or empty folder.',
  );
}

/** A file of a store has its tables in its first pages or, when it is new, in its log. */
const FIRST_PAGE = 4_096;

/** The way in which the shared file has lost its content, as far as its size tells; SQLite notices everything else. */
function lossOfShared(folder: string, names: readonly string[]): string | undefined {
  if (!names.includes(SHARED_FILE)) return 'missing';
  const sizeOf = (name: string): number => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  // The log first: before it is deleted, its content moves into the file.
  if (sizeOf(`${SHARED_FILE}-wal`) > 0) return undefined;
  const bytes = sizeOf(SHARED_FILE);
  if (bytes > FIRST_PAGE) return undefined;
  return bytes === 0 ? 'empty' : 'shortened';
}

function isLinkToFolder(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function refuseNetwork(given: string, folder: string, systemOf: (folder: string) => number): void {
  const network = folder.startsWith('\\\\') ? 'a network share' : networkSystems.get(systemOf(folder));
  if (network === undefined) return;
  throw new UsageError(
    `The store ${given} cannot be used: it is on a network file system (${network}), where runs could be lost or made twice.`,
    'Use a folder on a disk of this machine, or a postgres:// address for several machines.',
  );
}

function fileSystemOf(folder: string): number {
  try {
    return statfsSync(folder).type >>> 0;
  } catch {
    return 0;
  }
}

function nearestFolder(folder: string): string {
  const above = path.dirname(folder);
  return above === folder || existsSync(above) ? above : nearestFolder(above);
}

/** Flushes the names in a folder to disk: a file whose name is lost in a power cut is lost, too. */
export function syncFolder(folder: string): void {
  // Windows has no such call, and needs none.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Root shares a store with the user it belongs to, as SQLite does with the files next to its own. */
function giveToOwner(handle: number, folder: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  fchownSync(handle, uid, gid);
}

/**
 * Creates an empty file that only this user can read; the files that SQLite puts next to it get the same permissions. Never opens an
 * existing one: closing it would drop the locks that this process has on it.
 */
export function makePrivateFile(file: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      giveToOwner(handle, path.dirname(file));
    } finally {
      closeSync(handle);
    }
    syncFolder(path.dirname(file));
  } catch (error) {
    if (faultCode(error) !== 'EEXIST') throw error;
  }
}
