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
  /** A parsing expression, as Ohm writes it down: its operator, nothing, and its operands. */
  export type RecipeExpression =
    | readonly ['terminal', object, text: string]
    | readonly ['range', object, from: string, to: string]
    | readonly ['alt' | 'seq', object, ...RecipeExpression[]]
    | readonly ['star' | 'plus' | 'opt' | 'not' | 'lookahead', object, RecipeExpression]
    | readonly ['app', object, rule: string, parameters: readonly []];
  type RecipeRule = readonly ['define', object, description: null, parameters: readonly [], RecipeExpression];
  /** The grammar over the private alphabet. */
  export const readRecipe: () => readonly [
    'grammar',
    object,
    name: string,
    parent: null,
    start: string,
    rules: Readonly<Record<string, RecipeRule>>,
  ];
  export const loadGrammar: () => Grammar;
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
