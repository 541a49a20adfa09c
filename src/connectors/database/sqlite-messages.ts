// Messages between wf and the process that holds an SQLite file.
import type { Value } from '../../../runtime/types.js';
import type { BoundValue } from './statement.js';

export interface SqliteQuestion {
  readonly file: string;
  readonly text: string;
  readonly values: readonly BoundValue[];
}

export type SqliteReply =
  | {
      readonly kind: 'rows';
      readonly columns?: readonly string[];
      readonly rows: readonly (readonly Value[])[];
      readonly affected: number;
    }
  | { readonly kind: 'too many rows' | 'too large' | 'transaction' }
  /** SQLite's message. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The library can't be loaded. */
  | { readonly kind: 'no driver'; readonly isMissing: boolean };
