// Turns the bytes of a `.wf` file into the text of a module for this program, ready to evaluate. Nothing needs to be bundled.
import path from 'node:path';
import { withInlineMap } from '../../compiler/5-bundle/built-module.js';
import type { WorkflowFiles } from '../../compiler/call-tree.js';
import type { Checked, Emitted, ReadFile } from '../../compiler/compile.js';
import type { LocatedDiagnostic } from '../../compiler/diagnostics/diagnostic.js';
import { readsSourceMaps } from './load-module.js';

export type Made = {
  /** The file itself, without those that it calls. */
  readonly checked: Checked;
} & (
  | {
      readonly ok: true;
      /** Input of `evaluate`. */
      readonly code: string;
      readonly reachable: Emitted['reachable'];
      /** The workflows and tables that are compiled into it. */
      readonly called: readonly ReadFile[];
      readonly diagnostics: readonly LocatedDiagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly LocatedDiagnostic[]; readonly lookedFor: readonly string[] }
);

interface MakeOptions {
  /** Report every variable that the run sets. */
  readonly trace: boolean;
  /** Report what the run reaches. */
  readonly coverage?: boolean;
  /** Where called workflows are read from; absent if there are none. */
  readonly files?: WorkflowFiles;
}

/** Checks and compiles. `file` is the path for messages, `full` the absolute one. */
export async function makeModule(source: Uint8Array, file: string, full: string, options: MakeOptions): Promise<Made> {
  const { compile } = await import('../../compiler/compile.js');
  const compiled = compile(source, { file, format: 'commonjs', ...options });
  const { diagnostics } = compiled;
  if (compiled.hasErrors) return { ok: false, checked: compiled, diagnostics, lookedFor: compiled.lookedFor };
  const { called } = compiled;
  const { code, reachable } = compiled.emitted;
  const made = { ok: true, checked: compiled, reachable, called, diagnostics } as const;
  if (!readsSourceMaps()) return { ...made, code };
  const named = { ...compiled.emitted.map, sources: [path.basename(full)] };
  return { ...made, code: withInlineMap(code, JSON.stringify(named)) };
}
