// The bytes of a `.wf` file → a bundle that this program can load. Its own file, because a run that finds its bundle in the cache loads
// nothing of this.
import path from 'node:path';
import { type Bundled, bundle } from '../compiler/5-bundle/bundle.js';
import { startBundler } from '../compiler/5-bundle/esbuild-process.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';

export type Made =
  | { readonly ok: true; readonly bundled: Bundled; readonly diagnostics: readonly LocatedDiagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly LocatedDiagnostic[] };

/** Checks, compiles and bundles; `file` is the path that messages show, `full` the absolute one. */
export async function makeModule(source: Uint8Array, file: string, full: string, trace: boolean): Promise<Made> {
  // esbuild gets up while the compiler is loaded and works.
  const bundler = startBundler({ folder: path.dirname(full), format: 'cjs' });
  const { compile } = await import('../compiler/compile.js');
  const compiled = compile(source, { file, trace });
  if (compiled.hasErrors) {
    bundler.cancel();
    return { ok: false, diagnostics: compiled.diagnostics };
  }
  return { ok: true, bundled: await bundle(compiled.emitted, bundler, full), diagnostics: compiled.diagnostics };
}
