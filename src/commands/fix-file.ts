// `wf check --fix`: writes certain corrections into a file and shows each of them.
import path from 'node:path';
import { oneLine } from '../../runtime/values/one-line.js';
import { type CheckOptions, checkFile } from '../compiler/compile.js';
import { hasMark } from '../compiler/decode.js';
import { fileFault } from '../engine/files/file-fault.js';
import { writeWhole } from '../engine/files/write-whole.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { reindented } from '../format/format.js';
import { withCertainFixes } from '../language-service/certain-fixes.js';
import type { NamedSource } from './named-sources.js';

/** The text of the file with its corrections; the bytes as they are if there are none. @throws UsageError */
export async function fixFile(
  { file, isFile }: NamedSource,
  bytes: Uint8Array,
  options: CheckOptions,
  io: Io,
): Promise<Uint8Array | string> {
  if (!isFile)
    throw new UsageError('--fix needs a file to write to, not standard input.', 'For example: wf check order.wf --fix');
  const first = checkFile(bytes, file, options);
  // Bytes that can't be decoded would be lost.
  if (first.diagnostics.length === 0 || first.text.includes('\ufffd')) return bytes;
  const own = path.normalize(file);
  const even = reindented(first.text);
  const { text, fixes } = withCertainFixes(even ?? first.text, (current) =>
    checkFile(current, file, options).diagnostics.filter((diagnostic) => path.normalize(diagnostic.file) === own),
  );
  if (fixes.length === 0 && even === undefined) return bytes;
  const mark = hasMark(bytes) ? '\ufeff' : '';
  try {
    await writeWhole(path.resolve(io.cwd, file), mark + text);
  } catch (error) {
    throw new UsageError(`${file} can't be written: ${fileFault(error)}.`);
  }
  if (even !== undefined) io.stderr.write(`Fixed ${file}: every line is indented by 4 spaces a level.\n`);
  for (const { line, before, after } of fixes)
    io.stderr.write(`Fixed ${file}, line ${line}: ${oneLine(before)} → ${oneLine(after)}\n`);
  return text;
}
