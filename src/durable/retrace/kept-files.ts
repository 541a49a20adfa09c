// Gives the compiler files from memory in place of those on disk, which may have changed or vanished.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TableFile } from '../../compiler/2-parse/table-from-file.js';
import type { WorkflowFiles } from '../../compiler/call-tree.js';
import type { ReadFile } from '../../compiler/compile.js';
import { readTableFile } from '../../engine/prepare/table-file.js';

/**
 * @param root name of the workflow that is compiled, from the same folder as those of the files
 * @param files what it calls, and the files of its tables
 */
export function keptFiles(root: string, files: readonly Omit<ReadFile, 'path'>[]): WorkflowFiles {
  const byName = new Map(files.map(({ name, source }) => [name, source]));
  const { posix } = path;
  return {
    root: { path: root, file: root },
    locate(target, from) {
      const name = posix.join(posix.dirname(from.path), target);
      return { path: name, file: name };
    },
    folderOf: (place) => posix.relative(posix.dirname(root), posix.dirname(place.path)) || '.',
    read: (place) => byName.get(place.path) ?? 'the store does not have it',
    readTable: (place, bytes) => tableIn(place.path, bytes),
  };
}

/** A workbook is read from a file, by another process. */
function tableIn(name: string, bytes: Uint8Array): TableFile {
  if (/\.csv$/i.test(name)) return readTableFile(name, bytes);
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-table-'));
  try {
    const file = path.join(folder, path.basename(name));
    writeFileSync(file, bytes, { mode: 0o600 });
    return readTableFile(file, bytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
