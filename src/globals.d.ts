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

declare module 'wf:shapes' {
  /** Rule and shape of a line → its tree as JSON, for the lines that are common. */
  export const commonShapes: Readonly<Record<string, string>>;
}
