// The bytes of a `.wf` file → a module that this program can load. Its own file, because a run that finds its module in the cache loads
// nothing of this.
import path from 'node:path';
import { bundleForHere } from '../compiler/5-bundle/bundle.js';
import { startBundler } from '../compiler/5-bundle/esbuild-process.js';
import { readsSourceMaps } from '../compiler/5-bundle/source-maps.js';
import type { Emitted } from '../compiler/compile.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';

export type Made =
  | {
      readonly ok: true;
      /** What `evaluate` takes. */
      readonly code: string;
      readonly reachable: Emitted['reachable'];
      readonly diagnostics: readonly LocatedDiagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly LocatedDiagnostic[] };

export interface MakeOptions {
  /** The run tells every variable that is set. */
  readonly trace: boolean;
  /** The run tells what it reaches. */
  readonly coverage?: boolean;
}

/** Checks, compiles and bundles; `file` is the path that messages show, `full` the absolute one. */
export async function makeModule(source: Uint8Array, file: string, full: string, options: MakeOptions): Promise<Made> {
  // esbuild gets up while the compiler is loaded and works.
  const mapped = readsSourceMaps();
  const bundler = startBundler({ folder: path.dirname(full), runtime: 'outside', mapped });
  const { compile } = await import('../compiler/compile.js');
  const compiled = compile(source, { file, ...options });
  const { diagnostics } = compiled;
  if (compiled.hasErrors) {
    bundler.cancel();
    return { ok: false, diagnostics };
  }
  const code = await bundleForHere(compiled.emitted, bundler, mapped ? path.basename(full) : undefined);
  return { ok: true, code, reachable: compiled.emitted.reachable, diagnostics };
}
