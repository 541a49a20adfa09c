// A path as the user gave it → the bytes of that workflow file, or the sentence that says why they cannot be had.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { closest } from '../compiler/diagnostics/suggest.js';
import { faultCode, fileFault } from './file-fault.js';
import { UsageError } from './usage-error.js';

/** `file` starts at `cwd`. @throws UsageError where it cannot be read, and for a folder. */
export function readWorkflow(file: string, cwd: string): Uint8Array {
  const full = path.resolve(cwd, file);
  try {
    if (!statSync(full).isDirectory()) return readFileSync(full);
  } catch (error) {
    throw notReadable(file, cwd, error);
  }
  throw new UsageError(`${file} is a folder; this command needs one .wf file.`);
}

/** What to say of a file or folder, given by the user, that the system refuses; for one that is not there, with what may be meant. */
export function notReadable(file: string, cwd: string, error: unknown): UsageError {
  const near = faultCode(error) === 'ENOENT' ? nearby(file, cwd) : undefined;
  const meant = near === undefined ? '' : ` Did you mean "${path.join(path.dirname(file), near)}"?`;
  return new UsageError(`${file} can't be read: ${fileFault(error)}.${meant}`);
}

/** The name in the same folder that is the closest. */
function nearby(file: string, cwd: string): string | undefined {
  const full = path.resolve(cwd, file);
  const name = path.basename(full);
  try {
    const names = readdirSync(path.dirname(full), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || /\.(?:wf|mjs)$/.test(entry.name))
      .map((entry) => entry.name);
    return names.includes(`${name}.wf`) ? `${name}.wf` : closest(name, names);
  } catch {
    return undefined;
  }
}
