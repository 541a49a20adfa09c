// The library's way to run a workflow file once.
import type { Outcome, RunOptions, WfRecord } from '../../runtime/types.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { createEngine } from './engine.js';
import { prepare } from './prepare/prepare.js';

/** The file has errors. The message is what `wf check` prints. */
export class InvalidWorkflowError extends Error {
  override readonly name = 'InvalidWorkflowError';
  readonly diagnostics: readonly LocatedDiagnostic[];

  constructor(diagnostics: readonly LocatedDiagnostic[]) {
    super(renderText(diagnostics, { colour: false }));
    this.diagnostics = diagnostics;
  }
}

export interface RunFileOptions extends RunOptions {
  /** Folder that `file` is relative to. Default: the current one. */
  readonly cwd?: string;
}

/**
 * Runs the workflow in `file`, a `.wf` file or a built module, with `request`. Whatever the workflow, its input or a service
 * causes becomes the outcome. Without `env`, the workflow sees the environment of the process.
 * @throws InvalidWorkflowError if the file has errors; an error named `UsageError` if there is no such file
 */
export async function run(file: string, request: WfRecord = {}, options: RunFileOptions = {}): Promise<Outcome> {
  const { cwd = process.cwd(), ...own } = options;
  const env = own.env ?? process.env;
  const preparation = await prepare(file, { cwd, env: process.env });
  if (!preparation.ok) throw new InvalidWorkflowError(preparation.diagnostics);
  const engine = createEngine({ env });
  try {
    return (await engine.run(preparation.prepared, request, { ...own, env, requestIsPlain: false })).outcome;
  } finally {
    await engine.close();
  }
}
