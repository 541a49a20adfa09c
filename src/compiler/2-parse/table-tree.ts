// The decision tables in the syntax tree: headings, and rows of cells, whether they stand in the workflow or in a file beside it.
import type { CellTest, CellValue, HeadingTest } from '../../../runtime/tables/table-types.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { Name, Text } from './value-tree.js';

/** Under a condition, a test; under a result, a value. `unread`: it is wrong, and reported. */
export type DecisionCell =
  | { readonly is: 'test'; readonly test: CellTest; readonly span: Span }
  /** `0 and 50`, which only `is between` has. */
  | { readonly is: 'limits'; readonly low: CellValue; readonly high: CellValue; readonly span: Span }
  | { readonly is: 'unread'; readonly span: Span };

export interface Heading {
  readonly name: string;
  /** `undefined` for a result. */
  readonly test: HeadingTest | undefined;
  readonly span: Span;
}

export interface DecisionRow {
  readonly cells: readonly DecisionCell[];
  /** Line of the workflow, or row of the file. */
  readonly line: number;
  readonly span: Span;
}

export interface DecisionTable {
  readonly kind: 'table';
  readonly name: Name;
  readonly headings: readonly Heading[];
  readonly rows: readonly DecisionRow[];
  /** The file that it stands in, as the workflow names it. */
  readonly file: string | undefined;
  readonly span: Span;
  readonly line: number;
}

/** A table in a file, before the file is read. */
export interface TableFileLine {
  readonly kind: 'file';
  readonly name: Name;
  readonly at: Text;
  readonly span: Span;
  readonly line: number;
}

/** A table whose headings could not be read, or whose file: its name counts as declared. */
export interface BrokenTable {
  readonly kind: 'broken';
  readonly name: Name;
}

export type DeclaredTable = DecisionTable | TableFileLine | BrokenTable;
