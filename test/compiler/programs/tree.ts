// The programs of the property tests. They have their own tree, so that printer and evaluator don't depend on the compiler's.
import type { Input } from './inputs.js';
import type { Table } from './tables.js';

/** A field in braces, such as `{country}` or `{request.at}`, is named by a value. */
export type Path = { readonly root: string; readonly fields: readonly string[] };

/** Words with a `#` for each operand: `plus # days`. In a chain, the value before them is not among the operands. */
export type Operation = readonly [words: string, ...operands: readonly Expr[]];

export type Expr =
  | { readonly k: 'text'; readonly parts: readonly (string | Path)[] }
  | { readonly k: 'number'; readonly written: string }
  | { readonly k: 'constant'; readonly value: true | false | null }
  | { readonly k: 'list'; readonly items: readonly Expr[] }
  | { readonly k: 'path'; readonly path: Path }
  | { readonly k: 'group'; readonly inner: Expr }
  | { readonly k: 'ready'; readonly name: string; readonly of: Expr }
  | { readonly k: 'chain'; readonly first: Expr; readonly rest: readonly Operation[] }
  | { readonly k: 'phrase'; readonly words: string; readonly of: readonly Expr[] }
  | { readonly k: 'record'; readonly pairs: Pairs }
  | ({ readonly k: 'filter'; readonly where: Expr } & Iteration)
  | ({ readonly k: 'map'; readonly where: Expr | undefined; readonly value: Expr } & Iteration)
  | ({ readonly k: 'quantified'; readonly word: 'some' | 'every'; readonly where: Expr } & Iteration)
  | { readonly k: 'compare'; readonly word: string; readonly left: Expr; readonly right: Expr }
  | { readonly k: 'between'; readonly value: Expr; readonly low: Expr; readonly high: Expr }
  | { readonly k: 'state'; readonly word: string; readonly value: Expr }
  | { readonly k: 'logic'; readonly word: 'and' | 'or'; readonly parts: readonly Expr[] }
  | { readonly k: 'not'; readonly of: Expr };

interface Iteration {
  readonly item: string;
  readonly list: Expr;
}

export type Pairs = readonly (readonly [key: string, value: Expr])[];

export interface Handler {
  readonly retry: number | undefined;
  readonly stillFailing: boolean;
  readonly body: readonly Stmt[] | undefined;
}

export interface CallStmt {
  readonly k: 'call';
  readonly line: { at: number };
  /** Which answers it gets. Part of its words or its instruction. */
  readonly number: number;
  readonly phrase: string;
  readonly service: string;
  readonly at: readonly (string | Path)[] | undefined;
  /** The instruction of an `ask`, quoted or plain. */
  readonly instruction: { readonly parts: readonly (string | Path)[]; readonly quoted: boolean } | undefined;
  readonly pairs: Pairs;
  readonly saves: readonly (readonly [what: string, name: string])[];
  readonly handler: Handler | undefined;
  /** The workflow that it calls. */
  readonly part?: Part;
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
      readonly where: Expr | undefined;
      readonly body: readonly Stmt[];
    }
  /** `at the same time:` */
  | { readonly k: 'together'; readonly branches: readonly Stmt[] }
  /** `for each …, N at a time:`, after the list that rounds add to has been set to an empty one. */
  | {
      readonly k: 'rounds';
      readonly line: { at: number };
      readonly item: string;
      readonly list: Expr;
      readonly most: number;
      readonly added: string;
      readonly body: readonly Stmt[];
    }
  /** `for each name and value in record:` */
  | {
      readonly k: 'fields';
      readonly line: { at: number };
      readonly names: readonly [name: string, value: string];
      readonly record: Expr;
      readonly body: readonly Stmt[];
    }
  | {
      readonly k: 'repeat';
      readonly line: { at: number };
      readonly most: Expr;
      readonly until: Expr | undefined;
      readonly body: readonly Stmt[];
    }
  /** `set … to text:` with the lines of the text. */
  | {
      readonly k: 'letter';
      readonly line: { at: number };
      readonly path: Path;
      readonly lines: readonly (readonly (string | Path)[])[];
    }
  | {
      readonly k: 'look up';
      readonly line: { at: number };
      readonly table: string;
      readonly results: readonly string[];
      readonly pairs: Pairs;
      readonly nothing: readonly Stmt[] | undefined;
    }
  | { readonly k: 'skip' }
  | { readonly k: 'stop' }
  | { readonly k: 'wait'; readonly line: { at: number }; readonly amount: Expr; readonly unit: string }
  | { readonly k: 'complete'; readonly line: { at: number }; readonly pairs: Pairs }
  | { readonly k: 'reject'; readonly line: { at: number }; readonly message: Expr }
  | CallStmt;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The answers of a mock service, in turn, for any call. */
export type ScriptedAnswer =
  | { readonly ok: true; readonly value: Json; readonly status: number }
  | { readonly ok: false; readonly status: number | undefined; readonly body: string; readonly retryable: boolean };

export interface Workflow {
  /** `undefined`: that of its caller. */
  readonly zone: string | undefined;
  /** `undefined` without that section. */
  readonly inputs: readonly Input[] | undefined;
  readonly tables: readonly Table[];
  /** The workflows that it may call. */
  readonly parts: readonly Part[];
  readonly body: readonly Stmt[];
}

/** A workflow that others call. */
export interface Part {
  readonly service: string;
  /** Its path from the folder of the program. */
  readonly file: string;
  /** Names of what it may output. */
  readonly outputs: readonly string[];
  /** Several calls of it may be in progress together, so it can't tell which answers of services come first. */
  readonly isConcurrent: boolean;
  readonly workflow: Workflow;
}

export interface Program extends Workflow {
  readonly zone: string;
  readonly request: { [key: string]: Json };
  /** The values of the request are cells of a table. */
  readonly isText: boolean;
  readonly answers: readonly ScriptedAnswer[];
}
