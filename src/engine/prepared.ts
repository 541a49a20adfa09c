// What every front-end works with: a workflow that is checked, compiled and loaded, from a `.wf` file or a built module.
import type { RunFunction, WorkflowInfo } from '../../runtime/types.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';

export interface Prepared {
  /** The path as the user gave it, for messages. */
  readonly file: string;
  /** Base name without `.wf` or `.mjs`: the route in a served folder. */
  readonly basename: string;
  readonly workflow: WorkflowInfo;
  readonly run: RunFunction;
  /** Loads a plugin relative to the workflow's folder; to be given to `run`. */
  readonly loadPlugin: (module: string) => Promise<unknown>;
  /** Warnings of the check. */
  readonly warnings: readonly LocatedDiagnostic[];
  /** Text of the `.wf` file where it is at hand: run-time errors show their line. */
  readonly source?: string;
}

/** Either a workflow ready to run, or the diagnostics (at least one error) that keep it from running. */
export type Preparation =
  | { readonly ok: true; readonly prepared: Prepared }
  | { readonly ok: false; readonly file: string; readonly diagnostics: readonly LocatedDiagnostic[] };

export interface PrepareOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Emit `set` entries for every variable that is set. */
  readonly trace?: boolean;
}
