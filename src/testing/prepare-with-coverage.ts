// Prepares a workflow that reports which lines and branches a run reaches. Only `wf test` needs such modules, so they are not
// cached.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Emitted } from '../compiler/compile.js';
import { makeModule } from '../engine/prepare/make-module.js';
import { load, ready } from '../engine/prepare/prepare.js';
import type { Preparation } from '../engine/prepare/prepared.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';

export type CoveredPreparation =
  | (Extract<Preparation, { ok: true }> & { readonly reachable: Emitted['reachable'] })
  | Extract<Preparation, { ok: false }>;

/** `file` must exist. With `trace`, the run also reports every variable that is set. */
export async function prepareWithCoverage(
  file: string,
  { cwd, trace }: { readonly cwd: string; readonly trace: boolean },
): Promise<CoveredPreparation> {
  const full = path.resolve(cwd, file);
  const source = readFileSync(full);
  const made = await makeModule(source, file, full, { trace, coverage: true, files: workflowFiles(file, cwd) });
  if (!made.ok) return { ok: false, file, diagnostics: made.diagnostics };
  const prepared = ready(file, full, await load(made.code, full), source, made.diagnostics);
  return { ...prepared, reachable: made.reachable };
}
