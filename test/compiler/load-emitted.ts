// Loads an emitted module without a bundler: `wf-runtime` becomes a module that exports the tests' runtime.
import * as runtime from '../../runtime/index.js';
import type { WorkflowModule } from '../../runtime/types.js';
import { runtimeNames } from '../../src/compiler/4-emit/runtime-names.js';
import { isWorkflowModule } from '../../src/engine/prepare/load-module.js';

const shared = Symbol.for('wf.test.runtime');
Object.defineProperty(globalThis, shared, { value: runtime, configurable: true });
const shim = `data:text/javascript,${encodeURIComponent(`export const { ${runtimeNames.join(', ')} } = globalThis[Symbol.for('wf.test.runtime')];`)}`;

/** Imports a module that `emit` wrote. Rejects if Node.js can't load it. */
export async function loadEmitted(code: string): Promise<WorkflowModule> {
  const linked = code.replace("from 'wf-runtime'", () => `from ${JSON.stringify(shim)}`);
  const module: unknown = await import(`data:text/javascript;base64,${Buffer.from(linked).toString('base64')}`);
  if (!isWorkflowModule(module)) throw new Error('The emitted text is no workflow module');
  return module;
}
