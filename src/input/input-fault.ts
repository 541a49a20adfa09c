// Errors of `--input-file`: a sentence that starts with the option and the file as the user wrote it.
import { UsageError } from '../engine/usage-error.js';

/** @param what continues the sentence after a colon, without a full stop; `line` counts from 1 */
export function inputFault(
  file: string,
  what: string,
  more: { readonly line?: number; readonly hint?: string } = {},
): UsageError {
  const place = more.line === undefined ? '' : `, line ${more.line}`;
  return new UsageError(`--input-file ${file}${place}: ${what}.`, more.hint);
}
