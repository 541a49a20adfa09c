// `--strict-env`: finds the missing environment variables of a workflow, and reports them.
import type { Environment, WorkflowInfo } from '../../../runtime/types.js';
import { counted } from '../../compiler/diagnostics/render-text.js';

/** Sorted by name. An empty variable counts as set. */
export function missingEnvironment(workflow: Pick<WorkflowInfo, 'env'>, env: Environment): string[] {
  return workflow.env.filter((name) => !Object.hasOwn(env, name) || env[name] === undefined).sort();
}

/** Names all missing variables at once. */
export function missingSentence(names: readonly string[]): string {
  if (names.length === 1) return `The environment variable ${names.join()} is not set. Set it in the shell or in .env.`;
  return `${counted(names.length, 'environment variable')} are not set: ${names.join(', ')}. Set them in the shell or in .env.`;
}
