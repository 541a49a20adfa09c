// Finds shards whose files can't be read: damaged and missing ones, and those of another user. Their runs are left out, and all others go
// on. A damaged file is told from a disk that fails.
import { accessSync, constants, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { faultCode } from '../../../engine/files/file-fault.js';
import type { UsageError } from '../../../engine/usage-error.js';
import { type FileTrouble, troubleError, UnreadableFile } from '../../model/file-troubles.js';
import { shardFile, shardFileName, shardLockName, shardNumbers } from './shard.js';
import type { SharedFile } from './shared-file.js';
import { type Database, isDamaged, loadSqlite, sqliteCode, sqliteCodes } from './sqlite.js';
import { SHARED_FILE } from './store-folder.js';
import { requireSchema } from './store-format.js';

/** Whether a file contains the runs of one of these shards. */
export const isFileOf = (shards: Iterable<number>, file: string): boolean =>
  [...shards].some((shard) => shardFileName(shard) === file);

export class UnreadableShards {
  readonly shards: ListedShards;
  readonly #known = new Map<string, FileTrouble>();
  readonly #onFound: (file: string, trouble: FileTrouble) => void;
  readonly #damage: ConfirmedDamage;

  /** @param onFound called once for each file */
  constructor(shards: ListedShards, damage: ConfirmedDamage, onFound: (file: string, trouble: FileTrouble) => void) {
    this.shards = shards;
    this.#damage = damage;
    this.#onFound = onFound;
  }

  /** The result of the work with the files of a shard; `undefined` if one can't be read. */
  tolerate<T>(shard: number, work: () => T): T | undefined {
    try {
      return this.insist(shard, work);
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
  }

  /** The result of the work with the files of a shard. @throws UsageError if one can't be read */
  insist<T>(shard: number, work: () => T): T {
    const loss = this.shards.lossOf(shard);
    if (loss !== undefined) throw this.#found(shardFileName(shard), loss);
    try {
      return work();
    } catch (error) {
      throw this.#noted(shard, error) ?? error;
    }
  }

  /** The reason why the file of a shard can't be read, as far as it is known. */
  troubleOf(shard: number): FileTrouble | undefined {
    return this.#known.get(shardFileName(shard)) ?? this.#known.get(shardLockName(shard));
  }

  /** The files of a shard are gone, and nothing is missed any more. */
  forget(shard: number): void {
    this.#known.delete(shardFileName(shard));
  }

  /** @throws UsageError if a file is known that can't be read */
  refuse(): void {
    for (const [file, trouble] of this.#known) throw troubleError(trouble, file);
  }

  #noted(shard: number, error: unknown): Error | undefined {
    const denied = sqliteCode(error) === sqliteCodes.cannotOpen ? this.#deniedFile(shard) : undefined;
    if (denied === undefined && !isDamaged(error)) return undefined;
    if (denied === undefined && !this.#damage.isDamaged(shardFileName(shard))) return readFailed();
    const [file, trouble]: [string, FileTrouble] = denied === undefined ? [shardFileName(shard), 'damaged'] : [denied, 'denied'];
    return this.#found(file, trouble);
  }

  #found(file: string, trouble: FileTrouble): UsageError {
    if (!this.#known.has(file)) this.#onFound(file, trouble);
    this.#known.set(file, trouble);
    return troubleError(trouble, file);
  }

  #deniedFile(shard: number): string | undefined {
    return [shardFileName(shard), shardLockName(shard)].find((file) => {
      try {
        accessSync(path.join(this.shards.folder, file), constants.R_OK | constants.W_OK);
        return false;
      } catch (error) {
        return faultCode(error) === 'EACCES';
      }
    });
  }
}

/** A new file is one page, and its log contains the tables. Files are read a page at a time. */
const PAGE_BYTES = 4_096;

export class ListedShards {
  readonly folder: string;
  readonly #shared: SharedFile;

  constructor(folder: string, shared: SharedFile) {
    this.folder = folder;
    this.#shared = shared;
  }

  /** Numbers of all shards. */
  numbers(): number[] {
    const listed = this.#shared.all('SELECT slot AS shard FROM slots').map(({ shard }) => Number(shard));
    return [...new Set([...listed, ...shardNumbers(this.folder)])].sort((one, other) => one - other);
  }

  /** Lists a shard with tables. Earlier versions of wf do not. */
  async add(shard: number): Promise<void> {
    if (this.isListed(shard)) return;
    await this.#shared.change(() => this.#shared.run('INSERT OR IGNORE INTO slots(slot) VALUES(?)', shard));
  }

  /** Removes a shard from the list, so that its file is not missed. */
  async remove(shard: number): Promise<void> {
    await this.#shared.change(() => {
      this.#shared.run('DELETE FROM slots WHERE slot = ?', shard);
      // A new file counts its owners from the beginning: these keys would seem to belong to one that is about to write the run.
      this.#shared.run('DELETE FROM keys WHERE slot = ?', shard);
    });
  }

  /** The way in which a shard has lost its runs; `undefined` if it has not. */
  lossOf(shard: number): 'missing' | 'empty' | undefined {
    // Another process may have created the file between the first look and the look at the list.
    return this.#lack(shard) === undefined || !this.isListed(shard) ? undefined : this.#lack(shard);
  }

  isListed(shard: number): boolean {
    return this.#shared.get('SELECT 1 FROM slots WHERE slot = ?', shard) !== undefined;
  }

  #lack(shard: number): 'missing' | 'empty' | undefined {
    const file = shardFile(this.folder, shard);
    const bytes = sizeOf(file);
    if (bytes === undefined) return 'missing';
    return bytes === 0 || (bytes <= PAGE_BYTES && (sizeOf(`${file}-wal`) ?? 0) === 0) ? 'empty' : undefined;
  }
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/** Bytes of the largest file whose indexes are checked as well, which takes two seconds. */
const LARGEST_INDEXED = 64 * 1024 * 1024;

/** Times that SQLite says so of a larger file, which can be read, until it is believed, because its indexes are not checked. */
const MOST_DOUBTS = 3;

const STORE_FILES = /^(?:common|s\d+)\.db$/;

/** A read failed, and may succeed later. */
export const readFailed = (): Error => Object.assign(new Error('disk I/O error'), { errcode: sqliteCodes.ioError });

/** Tells a damaged file from a disk that fails: SQLite calls both "malformed". Damage is what SQLite finds in a file that can be read. */
export class ConfirmedDamage {
  readonly #folder: string;
  readonly #known = new Set<string>();
  /** Times that SQLite has called a large file damaged that could be read. */
  readonly #doubts = new Map<string, number>();
  /** Never closed: that would drop the locks that this process has on the file. */
  readonly #open = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether a file is damaged, after SQLite has said so. @param name of the file */
  isDamaged(name: string): boolean {
    if (this.#known.has(name)) return true;
    if (!this.#canBeRead(name)) return false;
    const file = path.join(this.#folder, name);
    const isLarge = statSync(file).size > LARGEST_INDEXED;
    const isSound = isSoundFile(file, isLarge ? 'quick_check' : 'integrity_check') && !(isLarge && this.#isDoubted(name));
    // It may have begun to fail meanwhile.
    if (isSound || !this.#canBeRead(name)) return false;
    this.#known.add(name);
    return true;
  }

  #isDoubted(name: string): boolean {
    const doubts = (this.#doubts.get(name) ?? 0) + 1;
    this.#doubts.set(name, doubts);
    return doubts >= MOST_DOUBTS;
  }

  /** Whether any file of the store is. */
  isAny(): boolean {
    return readdirSync(this.#folder).some((name) => STORE_FILES.test(name) && this.isDamaged(name));
  }

  #canBeRead(name: string): boolean {
    return [name, `${name}-wal`].every((file) => !existsSync(path.join(this.#folder, file)) || this.#readWhole(file));
  }

  #readWhole(name: string): boolean {
    const page = Buffer.alloc(PAGE_BYTES);
    try {
      const file = this.#open.get(name) ?? openSync(path.join(this.#folder, name), 'r');
      this.#open.set(name, file);
      for (let at = 0; readSync(file, page, 0, PAGE_BYTES, at) > 0; at += PAGE_BYTES);
      return true;
    } catch {
      return false;
    }
  }
}

/** Whether SQLite finds nothing wrong with a file, and wf its tables. */
function isSoundFile(file: string, check: 'quick_check' | 'integrity_check'): boolean {
  const { DatabaseSync } = loadSqlite();
  let database: Database | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 1_000 });
    if (Object.values(database.prepare(`PRAGMA ${check}(1)`).get() ?? {})[0] !== 'ok') return false;
    requireSchema(database, path.basename(file) === SHARED_FILE ? 'shared' : 'shard');
    return true;
  } catch (error) {
    return !isDamaged(error);
  } finally {
    database?.close();
  }
}
