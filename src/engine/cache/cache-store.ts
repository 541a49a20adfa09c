// Files that make wf start faster: compiled workflows and the machine code of wf itself. Reads a file only if no one else can
// have written it, writes it whole or not at all, and removes files that are no longer used. A failure here never stops a
// command.
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '../../../runtime/dates/date-unit.js';
import type { Environment } from '../../../runtime/types.js';
import { makeFolder } from '../files/make-folder.js';

/** Milliseconds to keep an unused file. */
const LONGEST_UNUSED = 30 * DAY_MS;
/** Matches the name of a draft that `writeStored` is still writing. */
const DRAFT = /^\.(.*)\.\d+\.[0-9a-z]+$/;

/** The content of a file, if it can be trusted. Its modification time says, to the day, when it was last used. */
export function readStored(file: string): Buffer | undefined {
  try {
    if (!isPrivate(path.dirname(file), 'folder') || !isPrivate(file, 'file')) return undefined;
    const content = readFileSync(file);
    const now = Date.now();
    if (now - lstatSync(file).mtimeMs > DAY_MS) markUsed(file, now);
    return content;
  } catch {
    return undefined;
  }
}

/** Writes a draft and renames it. Returns false if the folder can't be used. */
export function writeStored(file: string, content: Uint8Array): boolean {
  const folder = path.dirname(file);
  const draft = path.join(folder, `.${path.basename(file)}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    makeFolder(folder, 0o700);
    if (!isPrivate(folder, 'folder')) return false;
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
    return true;
  } catch {
    discard(draft);
    return false;
  }
}

/** Removes machine code of wf that is no longer used, see `load-chunk.ts`. */
export const pruneCode = (cache: string): void => prune(path.join(cache, 'code'), CODE_NAME, MOST_CODE_FILES);

/** `<chunk>-<version of wf>-<version of V8>-<processor>-<build>`. */
const CODE_NAME = /^[a-z][\w.-]*-\d+-\d+-\d+$/;
/** Enough for several versions of wf at about 30 files of 100 KB each. */
const MOST_CODE_FILES = 150;

/** Its modification time says when the folder was last pruned. */
const MARK = 'pruned';
/** Share of files to keep if there are too many, so that the next one is not too many again. */
const SHARE = 0.9;

/**
 * Removes files unused for 30 days and, if more than `most` are left, all but the most recently used nine tenths of that. Only
 * touches files whose names are `like` those of wf, and drafts left by other processes; anything else in the folder belongs to
 * someone else. Looks at the files once a day, or when there are too many, because that takes longer than many runs.
 */
export function prune(folder: string, like: RegExp, most: number): void {
  try {
    const now = Date.now();
    const names = readdirSync(folder).filter((name) => like.test(DRAFT.exec(name)?.[1] ?? name));
    const mark = path.join(folder, MARK);
    if (names.length <= most && now - (lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0) < DAY_MS) return;
    writeStored(mark, new Uint8Array());
    const files = names.flatMap((name) => usedAt(path.join(folder, name))).sort((a, b) => b.used - a.used);
    const kept = files.length > most ? Math.floor(most * SHARE) : most;
    for (const [index, { file, used }] of files.entries()) {
      if (index >= kept || used < now - LONGEST_UNUSED) discard(file);
    }
  } catch {
    // If the folder can't be read, nothing can be removed.
  }
}

/** Nothing for a file that another process has just removed, or for something that is not a file. */
function usedAt(file: string): { readonly file: string; readonly used: number }[] {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() ? [{ file, used: stats.mtimeMs }] : [];
}

/** In a read-only folder, the time stays as it is. */
function markUsed(file: string, now: number): void {
  try {
    utimesSync(file, now / 1_000, now / 1_000);
  } catch {
    // Then nothing is removed here either.
  }
}

/** Leaves a draft that can't be removed. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder can't be used at all.
  }
}

/**
 * Finds the cache folder, and decides whether its content can be trusted: only if it belongs to this user and no one else can
 * write it.
 */
// Loaded only if needed: HOME is nearly always set.
declare function require(module: 'node:os'): typeof import('node:os');

interface CacheOptions {
  readonly env: Environment;
}

/** The cache folder, or `undefined` if the cache is off or has no place. */
export function cacheFolder({ env }: CacheOptions): string | undefined {
  if (env.WF_CACHE?.toLowerCase() === 'off') return undefined;
  // The XDG specification says to ignore a relative path.
  const base = absolute(env.XDG_CACHE_HOME);
  if (base !== undefined) return path.join(base, 'wf');
  const home = absolute(env.HOME) ?? homeOfUser();
  return home === undefined ? undefined : path.join(home, '.cache', 'wf');
}

/** A relative folder would depend on where wf is started. */
const absolute = (folder: string | undefined): string | undefined =>
  folder !== undefined && path.isAbsolute(folder) ? folder : undefined;

/** As the system knows it. A container may run as a user without an entry. */
function homeOfUser(): string | undefined {
  try {
    return absolute(require('node:os').userInfo().homedir);
  } catch {
    return undefined;
  }
}

/** True if it belongs to this user and no one else can write it. On Windows, the folders of users are separate anyway. */
function isPrivate(name: string, kind: 'file' | 'folder'): boolean {
  const stats = lstatSync(name);
  if (kind === 'folder' ? !stats.isDirectory() : !stats.isFile()) return false;
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}
