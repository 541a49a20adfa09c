// Loads a module that was emitted: an ES module that was built, or what was bundled for this program, now or for the cache.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import type { WorkflowModule } from '../../../runtime/types.js';

/**
 * Imports the ES module in `file`, as it stands now: Node.js keeps a module by its address, so one that was built again needs another.
 * What it exports must be looked at before it is trusted to be a workflow.
 */
export const importFile = async (file: string): Promise<unknown> =>
  import(`${pathToFileURL(file).href}?v=${statSync(file).mtimeMs}`);

/** Runs what `bundleForHere` made; `name` is what traces call it. */
export async function evaluate(code: string, name: string): Promise<unknown> {
  const runtime = await import('./runtime.js');
  const module = { exports: {} as unknown };
  // The runtime is all that it asks for.
  compileFunction(code, ['module', 'exports', 'require'], { filename: name })(module, module.exports, () => runtime);
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
