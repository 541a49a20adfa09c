// Writes a file whole or not at all. Used for every file that others read.
import { randomBytes } from 'node:crypto';
import { access, chmod, constants, link, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultCode } from './file-fault.js';

/**
 * Writes a draft next to the file and renames it, so that readers see either the old text or the new one. A symbolic link stays
 * one and its target is replaced; a device or pipe (`/dev/stdout`) is written directly. A file keeps its permissions; the umask
 * determines those of a new one.
 * @throws the error of `node:fs`, leaving nothing behind
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const found = await stat(target).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return writeFile(target, text);
  await withDraft(target, text, (draft) => rename(draft, target), found?.mode);
}

/**
 * Like `writeWhole`, but never overwrites: `run.json` becomes `run-2.json`, `run-3.json`, even if several processes write at
 * once. Returns the path that was written.
 */
export async function writeExclusive(file: string, text: string): Promise<string> {
  let written = file;
  await withDraft(file, text, async (draft) => {
    for (let number = 2; !(await claim(draft, written)); number++) {
      const { dir, name, ext } = path.parse(file);
      written = path.join(dir, `${name}-${number}${ext}`);
    }
  });
  return written;
}

/**
 * Checks that a file can be written here now: creates and removes a file next to it, and checks the permissions of an existing
 * one.
 */
export async function probeWhole(file: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  if (found !== undefined) await access(target, constants.W_OK);
  if (found === undefined || found.isFile()) await probeFolder(path.dirname(target));
}

/** Checks that files can be created in this folder now. */
export async function probeFolder(folder: string): Promise<void> {
  await withDraft(path.join(folder, 'probe'), '', async () => {});
}

/** @param mode of the file that it replaces */
async function withDraft(file: string, text: string, use: (draft: string) => Promise<void>, mode?: number): Promise<void> {
  const draft = path.join(path.dirname(file), `.wf-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, text, { flag: 'wx', mode });
    // The umask may have taken some away. Disks without permissions refuse.
    if (mode !== undefined) await chmod(draft, mode & 0o777).catch(() => undefined);
    await use(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Gives the draft its name unless that is taken: in one step with a hard link or, on disks without links, by reserving the name
 * first.
 */
async function claim(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (faultCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(faultCode(error))) throw error;
  }
  return reserve(draft, file);
}

async function reserve(draft: string, file: string): Promise<boolean> {
  try {
    await writeFile(file, '', { flag: 'wx' });
  } catch (error) {
    if (faultCode(error) === 'EEXIST') return false;
    throw error;
  }
  await rename(draft, file);
  return true;
}
