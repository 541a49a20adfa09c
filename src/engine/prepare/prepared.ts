// A workflow that is checked, compiled and loaded, from a `.wf` file or a built module. Every front-end works with these.
import type { Environment, RunFunction, WorkflowInfo } from '../../../runtime/types.js';
import type { ReadFile } from '../../compiler/compile.js';
import type { LocatedDiagnostic } from '../../compiler/diagnostics/diagnostic.js';

export interface ModuleArtifact {
  /** `linked` takes the runtime of the program that loads it, `whole` brings its own. */
  readonly kind: 'linked' | 'whole';
  readonly code: string;
}

export interface Prepared {
  /** The path as the user wrote it, for messages. */
  readonly file: string;
  /** Base name without `.wf` or `.mjs`: the route in a served folder. */
  readonly basename: string;
  readonly workflow: WorkflowInfo;
  readonly run: RunFunction;
  /** Loads a plugin relative to the workflow's folder. Pass it to `run`. */
  readonly loadPlugin: (module: string) => Promise<unknown>;
  /** Absolute path of the workflow's folder. Pass it to `run`. */
  readonly folder?: string;
  /** The workflows and files of tables that are compiled into it. */
  readonly called?: readonly ReadFile[];
  /** Warnings of the check. */
  readonly warnings: readonly LocatedDiagnostic[];
  /** The files that a store saves, so that a run ends with the module that it started with. */
  readonly artifact?: ModuleArtifact;
  /** The text of the `.wf` file if available. Run-time errors show its lines. */
  readonly source?: string;
}

/** A workflow ready to run, or the diagnostics (at least one error) that prevent it. */
export type Preparation =
  | { readonly ok: true; readonly prepared: Prepared }
  | {
      readonly ok: false;
      readonly file: string;
      readonly diagnostics: readonly LocatedDiagnostic[];
      /** Absolute paths of the files that it calls, or tries to. */
      readonly lookedFor?: readonly string[];
    };

export interface PrepareOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Emit `set` entries for every variable that is set. */
  readonly trace?: boolean;
}
