// Finds and imports the plugins of a workflow. Paths are relative to the folder of the `.wf` file; other names are packages
// installed there.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkflowInfo } from '../../../runtime/types.js';
import { nativeImport } from '../../native-import.js';

export const hasPlugins = ({ services, calledServices = [] }: WorkflowInfo): boolean =>
  [...services, ...calledServices].some(({ kind }) => kind === 'plugin');

/** A loader for the plugins of the workflow in `folder`. */
export const pluginLoader =
  (folder: string) =>
  async (module: string): Promise<unknown> =>
    nativeImport(pathToFileURL(fileOf(folder, module)).href);

interface Version {
  /** Unique for each state of the file. */
  readonly key: string;
  readonly module: Promise<unknown>;
}

/**
 * Like `pluginLoader`, for a process in which plugins may change (`--watch`): each call checks the file and loads a new
 * version. If that fails, the last valid version stays in place. Does not check what a plugin imports.
 * @param report receives a sentence for each change
 */
export function changingPlugins(cwd: string, report: (sentence: string) => void): typeof pluginLoader {
  // Shared by the whole process, like the modules that Node.js caches.
  const known = new Map<string, Version>();

  const importAnew = (file: string, key: string): Promise<unknown> => {
    // Node.js caches a CommonJS module by its name alone.
    delete createRequire(file).cache[file];
    return nativeImport(`${pathToFileURL(file).href}?${key}`);
  };

  const replace = async (file: string, key: string, last: Version): Promise<unknown> => {
    const shown = path.relative(cwd, file);
    try {
      const module = await importAnew(file, key);
      report(`${shown} changed; now using its new version.`);
      return module;
    } catch (error) {
      const good = await last.module.catch(() => undefined);
      if (good === undefined) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      report(`${shown} changed, but can't be loaded (${reason}); still using its last valid version.`);
      return good;
    }
  };

  return (folder) => async (module) => {
    const file = fileOf(folder, module);
    const key = keyOf(file);
    const last = known.get(file);
    if (last?.key === key) return last.module;
    const version = { key, module: last === undefined ? importAnew(file, key) : replace(file, key, last) };
    known.set(file, version);
    return version.module;
  };
}

function fileOf(folder: string, module: string): string {
  const isPath = module.startsWith('.') || path.isAbsolute(module);
  return isPath ? path.resolve(folder, module) : createRequire(path.join(folder, 'workflow.cjs')).resolve(module);
}

function keyOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs}-${size}-${ino}`;
  } catch {
    return 'missing';
  }
}
