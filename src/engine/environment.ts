// The folder that a command runs in and the shell's variables go in, the environment that workflows see comes out (`behaviour.md` 1).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { faultCode, fileFault } from './file-fault.js';
import { UsageError } from './usage-error.js';

/**
 * The variables of `.env` in this folder, where there is one, under those of the shell: what the shell sets wins, also an empty text.
 * The result has no prototype, so that `env.constructor` is as empty as any other variable that nobody set.
 * @throws UsageError where `.env` is there and cannot be read.
 */
export async function loadEnvironment(
  cwd: string,
  shell: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> {
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
    bytes = readFileSync(file);
  } catch (error) {
    if (faultCode(error) === 'ENOENT') return undefined;
    throw new UsageError(
      `The file .env in this folder cannot be read: ${fileFault(error)}.`,
      'wf reads variables from .env before anything else.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(
      'The file .env in this folder cannot be read: it is not UTF-8 text.',
      'Save it again as UTF-8 in your editor.',
    );
  }
}
