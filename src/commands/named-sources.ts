// Reads the workflow files that a command line names: files, folders, and `-` for standard input.
import path from 'node:path';
import type { Io } from '../engine/io.js';
import { findWorkflows } from '../engine/prepare/find-workflows.js';
import { readWorkflow } from '../engine/prepare/read-workflow.js';
import { UsageError } from '../engine/usage-error.js';
import type { Values } from './command-table.js';

export interface NamedSource {
  /** As messages name it. */
  readonly file: string;
  /** Standard input is not written back. */
  readonly isFile: boolean;
  readonly read: () => Uint8Array | Promise<Uint8Array>;
}

export function namedSources(targets: readonly string[], values: Values, io: Io): NamedSource[] {
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
        'Text from elsewhere can come on standard input: wf check - < notes.txt',
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
