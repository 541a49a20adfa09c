// Reads the bytes of a workflow file, or says why that is not possible.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { closest } from '../../compiler/diagnostics/suggest.js';
import { faultCode, fileFault } from '../files/file-fault.js';
import { UsageError } from '../usage-error.js';

/** `file` is relative to `cwd`. @throws UsageError if it is a folder or can't be read */
export function readWorkflow(file: string, cwd: string): Uint8Array {
  const full = path.resolve(cwd, file);
  try {
    return readFileSync(full);
  } catch (error) {
    if (faultCode(error) !== 'EISDIR') throw notReadable(file, cwd, error);
    throw new UsageError(`${file} is a folder, but this command needs a single .wf file.`);
  }
}

/** The error for a file or folder that the system refuses; suggests a similar name if it doesn't exist. */
export function notReadable(file: string, cwd: string, error: unknown): UsageError {
  const near = faultCode(error) === 'ENOENT' ? nearby(file, cwd) : undefined;
  const meant = near === undefined ? '' : ` Did you mean "${path.join(path.dirname(file), near)}"?`;
  return new UsageError(`${file} can't be read: ${fileFault(error)}.${meant}`);
}

/** The most similar name in the same folder. */
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
