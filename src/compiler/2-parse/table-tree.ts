// The decision tables in the syntax tree: headings, and rows of cells, either from the workflow or from a separate file.
import type { CellTest, CellValue, HeadingTest } from '../../../runtime/tables/table-types.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { Name, Text } from './value-tree.js';

/** For a condition, a test; for a result, a value. `unread`: invalid, and reported. */
export type DecisionCell =
  | { readonly is: 'test'; readonly test: CellTest; readonly span: Span }
  /** `0 and 50`, allowed only for `is between`. */
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
  /** Rows could not be read, and are reported. */
  readonly hasUnread?: true;
  /** The file that contains it, as named in the workflow. */
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

/** A table with invalid headings, or an unreadable file. Its name counts as declared; without one, it may be any table. */
export interface BrokenTable {
  readonly kind: 'broken';
  readonly name: Name;
}

export type DeclaredTable = DecisionTable | TableFileLine | BrokenTable;
