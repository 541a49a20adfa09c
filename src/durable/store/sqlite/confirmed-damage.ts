// Tells a damaged file from a disk that fails: SQLite calls both "malformed". Damage is what SQLite finds in a file that can be read.
import { existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Database, isDamaged, loadSqlite, sqliteCodes } from './sqlite.js';

/** Bytes read at a time: one page. */
const PAGE_BYTES = 4_096;

/** Bytes of the largest file whose indexes are checked as well, which takes two seconds. */
const LARGEST = 64 * 1024 * 1024;

/** Times that SQLite says so of a larger file, which can be read, until it is believed, because its indexes are not checked. */
const MOST_DOUBTS = 3;

const FILES = /^(?:common|s\d+)\.db$/;

/** A read failed, and may succeed later. */
export const readFailed = (): Error => Object.assign(new Error('disk I/O error'), { errcode: sqliteCodes.ioError });

export class ConfirmedDamage {
  readonly #folder: string;
  readonly #known = new Set<string>();
  /** How often SQLite has called a large file damaged that could be read. */
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
    const isLarge = statSync(file).size > LARGEST;
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
    return readdirSync(this.#folder).some((name) => FILES.test(name) && this.isDamaged(name));
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

/** Whether SQLite finds nothing wrong with a file. */
function isSoundFile(file: string, check: 'quick_check' | 'integrity_check'): boolean {
  const { DatabaseSync } = loadSqlite();
  let database: Database | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 1_000 });
    return Object.values(database.prepare(`PRAGMA ${check}(1)`).get() ?? {})[0] === 'ok';
  } catch (error) {
    return !isDamaged(error);
  } finally {
    database?.close();
  }
}
