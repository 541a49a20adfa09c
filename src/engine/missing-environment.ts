// `--strict-env` (`behaviour.md` 3): which of the environment variables that a workflow names are not set, and what is said about them.
import type { WorkflowInfo } from '../../runtime/types.js';
import { counted } from '../compiler/diagnostics/summary.js';

/** In the order of the alphabet. A variable that is set to nothing is set. */
export function missingEnvironment(
  workflow: Pick<WorkflowInfo, 'env'>,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return workflow.env.filter((name) => !Object.hasOwn(env, name) || env[name] === undefined).sort();
}

/** All missing variables at once. */
export function missingSentence(names: readonly string[]): string {
  if (names.length === 1) return `The environment variable ${names.join()} is not set. Set it in the shell or in .env.`;
  return `${counted(names.length, 'environment variable')} are not set: ${names.join(', ')}. Set them in the shell or in .env.`;
}
