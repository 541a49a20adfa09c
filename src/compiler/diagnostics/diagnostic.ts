// The common shape of errors and warnings from every phase. Created by the functions of the catalogue, rendered in one place.

/** A stretch of the source: UTF-16 offsets into the decoded text (without byte order mark), end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place where something else was probably meant. */
export interface Misspelt {
  readonly span: Span;
  readonly suggestion: string | undefined;
}

/** A correction that a hint shows. */
export interface Fix {
  /**
   * What it replaces. `words`: those at fault; `lines`: the line, or the words at fault if it starts otherwise; `line`: the line; `above`:
   * the lines at fault and the one above them; `example`: the line, if it is about the same.
   */
  readonly as: 'words' | 'lines' | 'line' | 'above' | 'example';
  readonly text: string;
  /** The part of the hint that shows it. */
  readonly shown: string;
}

export type Severity = 'error' | 'warning';

export interface Diagnostic {
  /** Stable: `WF001`… */
  readonly code: string;
  readonly severity: Severity;
  readonly span: Span;
  readonly message: string;
  /** The most likely correction; shown as `Did you mean "…"?`. */
  readonly suggestion?: string;
  /** The way to fix it; may have several lines. */
  readonly hint?: string;
  readonly fix?: Fix;
  /** The hint gives the reason for the correction. */
  readonly saysWhy?: true;
  /** The one value that the line lacks. */
  readonly lacks?: string;
  /** The declared inputs alone decide the condition. The analysis says more about such a line. */
  readonly byInputs?: true;
}

/** Maximum errors, and warnings, of a file that are shown: no one reads more at once, and the first ones often cause the others. */
export const MOST_SHOWN = 100;

/** A diagnostic with its position for people: the input of every renderer. */
export interface LocatedDiagnostic extends Diagnostic {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** At least 1. */
  readonly length: number;
  /** The whole line, without its line end. */
  readonly sourceLine: string;
}

/** The name of `found` after the last word of a line. */
export const END_OF_LINE = 'the end of the line';
