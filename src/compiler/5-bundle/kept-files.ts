// Files that wf keeps to start sooner: read only where nobody else can have written them, written whole or not at all, and taken away
// when nobody uses them any more. Shared by compiled workflows and the machine code of wf itself; nothing of it keeps a command from
// its work.
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isPrivate } from './cache-folder.js';
import { makeFolder } from './make-folder.js';

const DAY = 24 * 60 * 60 * 1_000;
/** Milliseconds that a file stays without being used. */
const LONGEST_UNUSED = 30 * DAY;
/** What `writeKept` puts around a name until the file is whole. */
const DRAFT = /^\.(.*)\.\d+\.[0-9a-z]+$/;

/** The content of a file, where it can be trusted. Its time of change tells, to the day, when it was last used. */
export function readKept(file: string): Buffer | undefined {
  try {
    if (!isPrivate(path.dirname(file), 'folder') || !isPrivate(file, 'file')) return undefined;
    const content = readFileSync(file);
    const now = Date.now();
    if (now - lstatSync(file).mtimeMs > DAY) markUsed(file, now);
    return content;
  } catch {
    return undefined;
  }
}

/** Writes a file beside and renames it; false where the folder cannot be used. */
export function writeKept(file: string, content: Uint8Array): boolean {
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

/** Its time of change tells when the folder was last looked through. */
const MARK = 'pruned';
/** Share that stays where there were too many, so that it is not too many again with the next one. */
const SHARE = 0.9;

/**
 * Removes what was not used for 30 days, and where there are more than `most`, all but nine tenths of them, those that were used last. Only
 * files whose names are `like` those that wf gives, and drafts of them that a process left: whatever else stands in the folder is
 * somebody's own. Looks at the files once a day, or when there are too many: that takes longer than many a run.
 */
export function prune(folder: string, like: RegExp, most: number): void {
  try {
    const now = Date.now();
    const names = readdirSync(folder).filter((name) => like.test(DRAFT.exec(name)?.[1] ?? name));
    const mark = path.join(folder, MARK);
    if (names.length <= most && now - (lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0) < DAY) return;
    writeKept(mark, new Uint8Array());
    const files = names.flatMap((name) => usedAt(path.join(folder, name))).sort((a, b) => b.used - a.used);
    const kept = files.length > most ? Math.floor(most * SHARE) : most;
    for (const [index, { file, used }] of files.entries()) {
      if (index >= kept || used < now - LONGEST_UNUSED) discard(file);
    }
  } catch {
    // Where the folder cannot be read, nothing can be taken away.
  }
}

/** None for a file that another process has just taken away, and for what is no file. */
function usedAt(file: string): { readonly file: string; readonly used: number }[] {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() ? [{ file, used: stats.mtimeMs }] : [];
}

/** In a folder that is read-only the time stays as it is. */
function markUsed(file: string, now: number): void {
  try {
    utimesSync(file, now / 1_000, now / 1_000);
  } catch {
    // Nothing is taken away there either.
  }
}

/** A rest that cannot be removed either is left where it is. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder cannot be used at all.
  }
}
