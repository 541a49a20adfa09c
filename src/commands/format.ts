// `wf format`: writes files in their one form, or says which are not in it.
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { oneLine } from '../../runtime/values/one-line.js';
import { binaryFault, decode, hasMark, withoutMark } from '../compiler/decode.js';
import type { Diagnostic, LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { createLineMap, locate } from '../compiler/diagnostics/locate.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import { fileFault } from '../engine/files/file-fault.js';
import { writeWhole } from '../engine/files/write-whole.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { type Formatted, format } from '../format/format.js';
import type { Values } from './command-spec.js';
import { type NamedSource, namedSources } from './named-sources.js';
import { createProgress } from './progress.js';

/** @returns 0; or 1 if a file has syntax errors, or with `--check` is not in its form */
export async function formatCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const [isCheck, isDiff] = [values.check === true, values.diff === true];
  const sources = namedSources('format', targets, values, io);
  const progress = createProgress(io, 100);
  const faults: LocatedDiagnostic[] = [];
  let changed = 0;
  for (const [index, source] of sources.entries()) {
    progress.update(0, 'formatted', index, sources.length);
    const { before, formatted } = formatBytes(await source.read());
    if (!formatted.isReadable) {
      const lines = createLineMap(withoutMark(before));
      faults.push(...formatted.errors.map((error) => locate(error, source.file, lines)));
      continue;
    }
    const { text } = formatted;
    if (text !== before) changed++;
    if (!isCheck && !isDiff && !source.isFile) io.stdout.write(text);
    if (text === before) continue;
    progress.clear();
    if (isDiff) io.stdout.write(difference(oneLine(source.file), before, text));
    if (isCheck && !isDiff) io.stdout.write(`${oneLine(source.file)} is not in its form.\n`);
    if (!isCheck && !isDiff && source.isFile) await write(source, text, io);
  }
  progress.clear();
  if (faults.length > 0) io.stderr.write(`${renderText(faults, { colour: io.colour.stderr })}\n\n${leftAlone(faults)}\n`);
  return faults.length > 0 || (isCheck && changed > 0) ? 1 : 0;
}

/** `before` has the byte order mark, which the form of a file has not. */
function formatBytes(bytes: Uint8Array): { readonly before: string; readonly formatted: Formatted } {
  const found: Diagnostic[] = [];
  const text = decode(bytes, found);
  const binary = binaryFault(text);
  const errors = binary === undefined ? found : [binary];
  const before = hasMark(bytes) ? `\ufeff${text}` : text;
  return { before, formatted: errors.length > 0 ? { isReadable: false, errors } : format(text) };
}

async function write({ file }: NamedSource, text: string, io: Io): Promise<void> {
  try {
    await writeWhole(path.resolve(io.cwd, file), text);
  } catch (error) {
    throw new UsageError(`${file} can't be written: ${fileFault(error)}.`);
  }
  io.stdout.write(`${oneLine(file)} is formatted.\n`);
}

const difference = (file: string, before: string, after: string): string =>
  createTwoFilesPatch(file, file, before, after, 'as it is', 'formatted', { context: 3 }).replace(/^(?:Index: .*\n)?=+\n/, '');

function leftAlone(faults: readonly LocatedDiagnostic[]): string {
  const files = [...new Set(faults.map(({ file }) => file))];
  return `${summary(faults)} ${files.length === 1 ? 'That file is' : 'Those files are'} left as ${files.length === 1 ? 'it is' : 'they are'}.`;
}
