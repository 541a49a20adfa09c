// Finds and reads the workflows that a workflow calls, and the files of its tables, for the compiler.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowFiles, WorkflowPlace } from '../../compiler/call-tree.js';
import { fileFault } from '../files/file-fault.js';

// Few workflows have tables in files.
declare function require(module: './read-table-file.js'): typeof import('./read-table-file.js');

/** @param file the root, relative to `cwd`, as messages show it */
export function workflowFiles(file: string, cwd: string): WorkflowFiles {
  let root: WorkflowPlace | undefined;
  const rootPlace = (): WorkflowPlace => (root ??= { path: realPath(path.resolve(cwd, file)), file });
  return {
    // Most workflows call no other.
    get root() {
      return rootPlace();
    },
    locate: (target, from): WorkflowPlace => ({
      path: realPath(path.resolve(path.dirname(from.path), target)),
      file: path.join(path.dirname(from.file), target),
    }),
    folderOf: (place) => path.relative(path.dirname(rootPlace().path), path.dirname(place.path)).split(path.sep).join('/') || '.',
    read(place) {
      try {
        const stats = statSync(place.path);
        if (stats.isDirectory()) return 'it is a folder';
        // Opening a pipe would wait until someone writes to it.
        return stats.isFile() ? readFileSync(place.path) : 'it is not an ordinary file';
      } catch (error) {
        return fileFault(error);
      }
    },
    readTable: (place, bytes) => require('./read-table-file.js').readTableFile(place.path, bytes),
  };
}

/** Without links, so that the same file has one path. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
