// The JSON messages between the command line and the program that reads sheets.
import type { Table } from './table.js';

/** The only argument of `sheet-reader.cjs`. */
export interface SheetRequest {
  /** As the user wrote it, relative to `cwd`. */
  readonly file: string;
  readonly cwd: string;
  readonly sheet?: string | undefined;
  readonly asText?: string | undefined;
  /** Also return the original rows. */
  readonly keepsLines?: boolean;
}

/** All of its standard output. */
export type SheetReply =
  | { readonly ok: true; readonly table: Table }
  | { readonly ok: false; readonly message: string; readonly hint?: string | undefined };
