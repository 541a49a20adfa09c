// Combines `.env` and the variables of the shell into the environment that workflows see, and names variables that are missing.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../../runtime/texts/words.js';
import type { Environment, WorkflowInfo } from '../../../runtime/types.js';
import { fileFault } from '../files/file-fault.js';
import { UsageError } from '../usage-error.js';

/**
 * Reads `.env` in this folder, if there is one. Variables of the shell take precedence, even empty ones. The result has no
 * prototype, so `env.constructor` is as empty as any unset variable.
 * @throws UsageError if `.env` exists but can't be read
 */
export async function loadEnvironment(cwd: string, shell: Environment): Promise<Record<string, string>> {
  const environment: Record<string, string> = Object.create(null);
  const text = readDotenv(path.join(cwd, '.env'));
  if (text !== undefined) {
    const { parse } = await import('dotenv');
    Object.assign(environment, parse(text));
  }
  for (const [name, value] of Object.entries(shell)) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

function readDotenv(file: string): string | undefined {
  let bytes: Buffer;
  try {
    // Most folders have none, and an error takes longer to create than the rest of this.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    bytes = readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `The file .env in this folder can't be read: ${fileFault(error)}.`,
      'wf reads environment variables from .env before it does anything else.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError("The file .env in this folder can't be read: it is not UTF-8 text.", 'Save it as UTF-8 in your editor.');
  }
}

/** Sorted by name. An empty variable counts as set. */
export function missingEnvironment(workflow: Pick<WorkflowInfo, 'env'>, env: Environment): string[] {
  return workflow.env.filter((name) => !Object.hasOwn(env, name) || env[name] === undefined).sort();
}

/** Names all missing variables at once. */
export function missingSentence(names: readonly string[]): string {
  if (names.length === 1) return `The environment variable ${names.join()} is not set. Set it in the shell or in .env.`;
  return `${counted(names.length, 'environment variable')} are not set: ${names.join(', ')}. Set them in the shell or in .env.`;
}
