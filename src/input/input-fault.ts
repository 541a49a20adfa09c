// How every fault of `--input-file` reads: one sentence that begins with the option and the file as the user gave it.
import { UsageError } from '../engine/usage-error.js';

/** `what` goes on after the colon and has no full stop; `line` is 1-based. */
export function inputFault(
  file: string,
  what: string,
  more: { readonly line?: number; readonly hint?: string } = {},
): UsageError {
  const place = more.line === undefined ? '' : `, line ${more.line}`;
  return new UsageError(`--input-file ${file}${place}: ${what}.`, more.hint);
}
