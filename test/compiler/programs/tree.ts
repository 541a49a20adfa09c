// The programs of the property tests. They have their own tree, so that printer and evaluator don't depend on the compiler's.

export type Path = { readonly root: string; readonly fields: readonly string[] };

export type Expr =
  | { readonly k: 'text'; readonly parts: readonly (string | Path)[] }
  | { readonly k: 'number'; readonly written: string }
  | { readonly k: 'constant'; readonly value: true | false | null }
  | { readonly k: 'list'; readonly items: readonly Expr[] }
  | { readonly k: 'path'; readonly path: Path }
  | { readonly k: 'group'; readonly inner: Expr }
  | { readonly k: 'ready'; readonly name: string; readonly of: Expr }
  | { readonly k: 'chain'; readonly first: Expr; readonly rest: readonly (readonly [operator: string, operand: Expr])[] }
  | { readonly k: 'compare'; readonly word: string; readonly left: Expr; readonly right: Expr }
  | { readonly k: 'between'; readonly value: Expr; readonly low: Expr; readonly high: Expr }
  | { readonly k: 'state'; readonly word: string; readonly value: Expr }
  | { readonly k: 'logic'; readonly word: 'and' | 'or'; readonly parts: readonly Expr[] }
  | { readonly k: 'not'; readonly of: Expr };

export type Pairs = readonly (readonly [key: string, value: Expr])[];

export interface Handler {
  readonly retry: number | undefined;
  readonly stillFailing: boolean;
  readonly body: readonly Stmt[] | undefined;
}

export interface CallStmt {
  readonly k: 'call';
  readonly line: { at: number };
  readonly phrase: string;
  readonly service: string;
  readonly at: readonly (string | Path)[] | undefined;
  /** The instruction of an `ask`, quoted or plain. */
  readonly instruction: { readonly parts: readonly (string | Path)[]; readonly quoted: boolean } | undefined;
  readonly pairs: Pairs;
  readonly saves: readonly (readonly [what: string, name: string])[];
  readonly handler: Handler | undefined;
}

/** The printer fills in `line.at`. */
export type Stmt =
  | { readonly k: 'step'; readonly line: { at: number }; readonly name: string; readonly body: readonly Stmt[] }
  | { readonly k: 'set'; readonly line: { at: number }; readonly path: Path; readonly value: Expr }
  | { readonly k: 'add'; readonly line: { at: number }; readonly value: Expr; readonly name: string }
  | { readonly k: 'log'; readonly line: { at: number }; readonly value: Expr }
  | {
      readonly k: 'if';
      readonly branches: readonly { readonly line: { at: number }; readonly test: Expr; readonly body: readonly Stmt[] }[];
      readonly otherwise: readonly Stmt[] | undefined;
    }
  | {
      readonly k: 'for';
      readonly line: { at: number };
      readonly item: string;
      readonly list: Expr;
      readonly body: readonly Stmt[];
    }
  | { readonly k: 'skip' }
  | { readonly k: 'stop' }
  | { readonly k: 'wait'; readonly seconds: number }
  | { readonly k: 'complete'; readonly line: { at: number }; readonly pairs: Pairs }
  | { readonly k: 'reject'; readonly line: { at: number }; readonly message: Expr }
  | CallStmt;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The answers of a mock service, in turn, for any call. */
export type ScriptedAnswer =
  | { readonly ok: true; readonly value: Json; readonly status: number }
  | { readonly ok: false; readonly status: number | undefined; readonly body: string; readonly retryable: boolean };

export interface Program {
  readonly body: readonly Stmt[];
  readonly request: { [key: string]: Json };
  readonly answers: readonly ScriptedAnswer[];
}
