// Constants that the build fills in.
/** Version of the package. */
declare const WF_VERSION: string;
/** Absolute path of the `dist` folder. */
declare const WF_DIST: string;

declare module 'wf:words' {
  /** The words of the language in the order of the grammar file. */
  export const words: readonly string[];
  /** Class of tokens → the character that stands for it. */
  export const classes: Readonly<Record<'name' | 'path' | 'number' | 'text' | 'raw' | 'group' | 'indent' | 'eol', string>>;
  /** Code of the character that stands for the first word. */
  export const firstWord: number;
}

declare module 'wf:grammar' {
  import type { Grammar } from 'ohm-js';
  export const loadGrammar: () => Grammar;
}

declare module 'wf:rules' {
  /** A parsing expression: what it is, then what it is made of. */
  export type Expression =
    | readonly ['terminal', text: string]
    | readonly ['range', from: string, to: string]
    | readonly ['any']
    | readonly ['first of' | 'all of', ...Expression[]]
    | readonly ['repeated', Expression, arity: number, least: number, most: number | null]
    | readonly ['not', Expression]
    | readonly ['rule', name: string];
  /** The rules of the grammar, over the private alphabet, by name. */
  export const rules: Readonly<Record<string, Expression>>;
}
