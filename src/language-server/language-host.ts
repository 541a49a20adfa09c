// What the language server needs of the place where it runs: the files beside those that are open, and a way to run cases.
import type { CheckOptions } from '../compiler/compile.js';
import type { CaseValues } from '../language-service/hover.js';

/** The lines that the cases of a file reach. */
export interface CaseResults {
  readonly reachable: readonly { readonly line: number; readonly kind: string }[];
  /** Indexes in `reachable`. */
  readonly reached: ReadonlySet<number>;
  readonly cases: readonly { readonly name: string; readonly hasPassed: boolean; readonly differences: readonly string[] }[];
}

/** A file as the editor has it, which may not be saved. */
export interface OpenText {
  readonly uri: string;
  readonly text: string;
}

/** The interface to the place where the server runs. */
export interface LanguageHost {
  /** The name of a file in messages. */
  readonly nameOf: (uri: string) => string;
  /** Where called workflows and files of tables are read from; `undefined` if there is no disk. */
  readonly filesFor: (uri: string) => CheckOptions['files'];
  /** A file on disk; `undefined` if there is none. */
  readonly read: (uri: string) => string | undefined;
  /** Calls back when a file changes that was read for one that is open. */
  readonly onFileChange?: (changed: () => void) => void;
  /** Runs the cases of a text with mock services, or only one; `undefined` if there are none, or no way to run them. */
  readonly runCases: (file: OpenText, name?: string) => Promise<CaseResults | undefined>;
  /** Runs a case, or the first one, for what it has at each line; `undefined` as above. */
  readonly valuesIn: (file: OpenText, name: string | undefined) => Promise<CaseValues | undefined>;
}
