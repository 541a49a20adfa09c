// Loads a module that was emitted: an ES module that was built, or a bundle of this process or of the cache, which is CommonJS.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import type { WorkflowModule } from '../../../runtime/types.js';

/**
 * Imports the ES module in `file`, as it stands now: Node.js keeps a module by its address, so one that was built again needs another.
 * What it exports must be looked at before it is trusted to be a workflow.
 */
export const importFile = async (file: string): Promise<unknown> =>
  import(`${pathToFileURL(file).href}?v=${statSync(file).mtimeMs}`);

/** Loads a bundle of the cache. */
export const requireFile = (file: string): unknown => createRequire(file)(file);

/** Runs a bundle that is kept nowhere; `name` is what traces call it. */
export function evaluate(code: string, name: string): unknown {
  const module = { exports: {} as unknown };
  compileFunction(code, ['module', 'exports', 'require'], { filename: name })(
    module,
    module.exports,
    createRequire(`${process.cwd()}/`),
  );
  return module.exports;
}

/** True for the exports of an emitted module. */
export function isWorkflowModule(exports: unknown): exports is WorkflowModule {
  if (typeof exports !== 'object' || exports === null || !('workflow' in exports) || !('run' in exports)) return false;
  const { workflow, run } = exports;
  return (
    typeof run === 'function' && typeof workflow === 'object' && workflow !== null && 'compiler' in workflow && 'name' in workflow
  );
}
