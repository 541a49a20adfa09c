// Finds and imports the plugins of a workflow: paths start at the folder of the `.wf` file, other names are packages seen from there.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A loader for the plugins of the workflow in `folder`. */
export const pluginLoader =
  (folder: string) =>
  async (module: string): Promise<unknown> =>
    import(pathToFileURL(fileOf(folder, module)).href);

interface Version {
  /** Differs from that of every other state of the file. */
  readonly key: string;
  readonly module: Promise<unknown>;
}

/**
 * As `pluginLoader`, for a process in which plugins may change (`--watch`): each call looks at the file, and takes a new version of it.
 * Where that cannot be loaded, the last good one stays. What a plugin imports in its turn is not looked at.
 * @param tell gets a sentence for each change
 */
export function changingPlugins(cwd: string, tell: (sentence: string) => void): typeof pluginLoader {
  // Of the whole process, as what Node.js keeps of modules is.
  const known = new Map<string, Version>();

  const importAnew = (file: string, key: string): Promise<unknown> => {
    // A CommonJS module is kept by its name alone.
    delete createRequire(file).cache[file];
    return import(`${pathToFileURL(file).href}?${key}`);
  };

  const replace = async (file: string, key: string, last: Version): Promise<unknown> => {
    const shown = path.relative(cwd, file);
    try {
      const module = await importAnew(file, key);
      tell(`${shown} has changed; its new version is used.`);
      return module;
    } catch (error) {
      const good = await last.module.catch(() => undefined);
      if (good === undefined) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      tell(`${shown} has changed and cannot be loaded (${reason}); its last good version stays in place.`);
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
