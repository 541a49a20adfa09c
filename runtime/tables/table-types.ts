// Decision tables in an emitted module: plain data, with the cells of a row in the order of the headings.

/** The comparison of a heading's value with a cell. */
export type HeadingTest =
  | 'is'
  | 'is not'
  | 'is above'
  | 'is below'
  | 'is at least'
  | 'is at most'
  | 'is between'
  | 'starts with'
  | 'contains'
  | 'is before'
  | 'is after';

/** A fixed value of a cell. */
export type CellValue = string | number | boolean | null;

/**
 * The test of a cell. `null` matches everything. A fixed value is compared as its heading says; the other forms specify their own
 * comparison. `same`: a number from a file, which also matches the text it is written as.
 */
export type CellTest =
  | null
  | string
  | number
  | boolean
  | readonly ['empty']
  | readonly ['same', value: number, text: string]
  | readonly ['one of', ...values: (string | number | boolean)[]]
  | readonly ['above' | 'below' | 'at least' | 'at most', value: number]
  | readonly ['between', low: number | string, high: number | string];

export interface Condition {
  readonly name: string;
  readonly test: HeadingTest;
}

export interface TableData {
  readonly name: string;
  readonly conditions: readonly Condition[];
  /** For each row, a test per condition. */
  readonly rows: readonly (readonly CellTest[])[];
  /** For each row, the values of its results. */
  readonly results: readonly (readonly CellValue[])[];
}
