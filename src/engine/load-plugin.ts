// Finds and imports the plugins of a workflow: paths start at the folder of the `.wf` file, other names are packages seen from there.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A loader for the plugins of the workflow in `folder`. */
export const pluginLoader =
  (folder: string) =>
  async (module: string): Promise<unknown> => {
    const isPath = module.startsWith('.') || path.isAbsolute(module);
    const file = isPath ? path.resolve(folder, module) : createRequire(path.join(folder, 'workflow.cjs')).resolve(module);
    return import(pathToFileURL(file).href);
  };
