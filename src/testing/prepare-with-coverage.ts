// A `.wf` file → a workflow that tells which of its lines and branches a run reaches. Its own file: the cache knows no such modules, and
// only `wf test` makes them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, withInlineMap } from '../compiler/5-bundle/bundle.js';
import { startBundler } from '../compiler/5-bundle/esbuild-process.js';
import { evaluate, isWorkflowModule } from '../compiler/5-bundle/load.js';
import type { Emitted } from '../compiler/compile.js';
import { compile } from '../compiler/compile.js';
import { pluginLoader } from '../engine/load-plugin.js';
import type { Preparation } from '../engine/prepared.js';

export type CoveredPreparation =
  | (Extract<Preparation, { ok: true }> & { readonly reachable: Emitted['reachable'] })
  | Extract<Preparation, { ok: false }>;

/** `file` must be there. With `trace`, the run also tells every variable that is set. */
export async function prepareWithCoverage(
  file: string,
  { cwd, trace }: { readonly cwd: string; readonly trace: boolean },
): Promise<CoveredPreparation> {
  const full = path.resolve(cwd, file);
  // esbuild gets up while the compiler works.
  const bundler = startBundler({ folder: path.dirname(full), format: 'cjs' });
  const compiled = compile(readFileSync(full), { file, coverage: true, trace });
  if (compiled.hasErrors) {
    bundler.cancel();
    return { ok: false, file, diagnostics: compiled.diagnostics };
  }
  const { code, map } = await bundle(compiled.emitted, bundler, full);
  const module = evaluate(withInlineMap(code, map), `${full}.cjs`);
  if (!isWorkflowModule(module)) throw new Error('The bundle is no workflow');
  const { workflow, run } = module;
  const prepared = {
    file,
    basename: path.basename(full, '.wf'),
    workflow,
    run,
    loadPlugin: pluginLoader(path.dirname(full)),
    warnings: compiled.diagnostics,
    source: compiled.text,
  };
  return { ok: true, prepared, reachable: compiled.emitted.reachable };
}
