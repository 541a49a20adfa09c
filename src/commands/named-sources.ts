// Reads what a command line names: workflow files, folders, `-` for standard input, and the output format. Prints the mistakes of a file.
import path from 'node:path';
import { type Checked, checkFile } from '../compiler/compile.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { Io } from '../engine/io.js';
import { findWorkflows, readWorkflow } from '../engine/prepare/find-workflows.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { UsageError } from '../engine/usage-error.js';
import type { Values } from './command-spec.js';

export interface NamedSource {
  /** As messages name it. */
  readonly file: string;
  /** Standard input is not written back. */
  readonly isFile: boolean;
  readonly read: () => Uint8Array | Promise<Uint8Array>;
}

/** @param command that can read standard input */
export function namedSources(command: string, targets: readonly string[], values: Values, io: Io): NamedSource[] {
  // A file is checked once, even if it is named twice or is also part of a named folder.
  const seen = new Set<string>();
  return targets.flatMap((target): NamedSource[] => {
    if (target === '-')
      return [
        {
          file: typeof values.stdinFilename === 'string' ? values.stdinFilename : 'standard input',
          isFile: false,
          read: () => readAll(io),
        },
      ];
    const named = findWorkflows(target, io.cwd);
    if (named[0] === target && !target.endsWith('.wf'))
      throw new UsageError(
        `${target} is not a workflow: its name must end in .wf.`,
        `Text from elsewhere can come on standard input: wf ${command} - < notes.txt`,
      );
    const files = named.filter((file) => !seen.has(path.resolve(io.cwd, file)));
    for (const file of files) seen.add(path.resolve(io.cwd, file));
    return files.map((file) => ({ file, isFile: true, read: () => readWorkflow(file, io.cwd) }));
  });
}

async function readAll(io: Io): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** The bytes of a workflow. @throws UsageError for another kind of file; `hint` says how the command is used */
export function namedWorkflow(file: string, io: Io, hint?: string): ReturnType<typeof readWorkflow> {
  if (!file.endsWith('.wf')) throw new UsageError(`${file} is not a workflow: its name must end in .wf.`, hint);
  return readWorkflow(file, io.cwd);
}

/** The file, checked, whatever was found. @throws UsageError as `namedWorkflow` */
export const checkedFile = (file: string, io: Io, hint?: string): Checked =>
  checkFile(namedWorkflow(file, io, hint), file, { files: workflowFiles(file, io.cwd) });

/** Prints what was found in a file as `wf check` does, on standard error. */
export function printDiagnostics({ diagnostics }: Checked, io: Io): void {
  io.stderr.write(`${renderText(diagnostics, { colour: io.colour.stderr })}\n\n${summary(diagnostics)}\n`);
}

/** The value of `--format`; `text` by default. @throws UsageError for any other */
export function readFormat<T extends string>(formats: readonly T[], value: string | true | undefined): T {
  const format = formats.find((known) => known === (value ?? 'text'));
  if (format !== undefined) return format;
  throw new UsageError(`--format must be one of ${formats.join(', ')}, not "${String(value)}".`);
}
