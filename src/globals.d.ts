// Constants and modules provided by the build.
/** Version of the package. */
declare const WF_VERSION: string;
/** Hash of the sources that this program was built from. */
declare const WF_BUILD: string;
/** Absolute path of the `dist` folder. */
declare const WF_DIST: string;

declare module 'wf:words' {
  /** The keywords, in the order of the grammar file. */
  export const words: readonly string[];
  /** Token class → the character that represents it. */
  export const classes: Readonly<
    Record<'name' | 'path' | 'number' | 'text' | 'raw' | 'lines' | 'group' | 'indent' | 'dedent' | 'eol', string>
  >;
  /** Code of the character that represents the first keyword. */
  export const firstWord: number;
}

declare module 'wf:grammar' {
  import type { Grammar } from 'ohm-js';
  export const loadGrammar: () => Grammar;
}

declare module 'wf:rules' {
  /** A parsing expression: its operator, then its operands. */
  export type Expression =
    | readonly ['terminal', text: string]
    | readonly ['range', from: string, to: string]
    | readonly ['any']
    | readonly ['first of' | 'all of', ...Expression[]]
    | readonly ['repeated', Expression, least: number, most: number | null]
    | readonly ['not' | 'ahead', Expression]
    | readonly ['rule', index: number];
  /** The names of the grammar's rules. */
  export const names: readonly string[];
  /** For each rule, over the private alphabet: the JSON of an `Expression`. */
  export const bodies: readonly string[];
}

declare module 'wf:console-assets' {
  /** A file of the console, built from `src/console/client` and `src/console/style`. Its name includes a hash of its text. */
  export interface ConsoleAsset {
    readonly name: string;
    readonly text: string;
  }
  export const script: ConsoleAsset;
  export const style: ConsoleAsset;
  export const drawing: ConsoleAsset;
}

declare module 'wf:examples' {
  /** The workflows of `fixtures/examples` that need no other program, with their first cases. */
  export const examples: readonly import('./playground/protocol.js').Example[];
}
