// Imports a module that was emitted, from a file or from text.
import { pathToFileURL } from 'node:url';
import type { WorkflowModule } from '../../../runtime/types.js';

/** Imports the module in `file`. What it exports must be looked at before it is trusted to be a workflow. */
export const loadFile = async (file: string): Promise<unknown> => import(pathToFileURL(file).href);

/** Imports a bundle that is kept nowhere. */
export const loadText = async (code: string): Promise<unknown> => import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);

/** True for the exports of an emitted module. */
export function isWorkflowModule(exports: unknown): exports is WorkflowModule {
  if (typeof exports !== 'object' || exports === null || !('workflow' in exports) || !('run' in exports)) return false;
  const { workflow, run } = exports;
  return typeof run === 'function' && typeof workflow === 'object' && workflow !== null && 'compiler' in workflow && 'name' in workflow;
}
