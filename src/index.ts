// The library for programs that embed wf: compiler, runs, server, and the helper for connectors.
import type { Outcome, RunOptions, WfRecord } from '../runtime/types.js';
import type { LocatedDiagnostic } from './compiler/diagnostics/diagnostic.js';
import { renderText } from './compiler/diagnostics/render-text.js';
import { createEngine } from './engine/engine.js';
import { prepare } from './engine/prepare/prepare.js';

export type * from '../runtime/types.js';
export { type Checked, type Compiled, type CompileOptions, checkFile as check, compile } from './compiler/compile.js';
export type { Diagnostic, LocatedDiagnostic, Severity, Span } from './compiler/diagnostics/diagnostic.js';
export { renderText } from './compiler/diagnostics/render-text.js';
export * from './connector.js';
export { createConnectors, type OpenConnectors } from './connectors/connectors.js';
export type { DurableEngine, OpenStoreOptions } from './durable/durable-engine.js';
export { openStore } from './durable/open-store.js';
export { createEngine, type Engine, type EngineOptions } from './engine/engine.js';
export { prepare } from './engine/prepare/prepare.js';
export type { Preparation, Prepared, PrepareOptions } from './engine/prepare/prepared.js';
export { workflowFiles } from './engine/prepare/workflow-files.js';
export { type App, type AppOptions, createApp } from './server/app/create-app.js';

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
