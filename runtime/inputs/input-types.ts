// The fields that a workflow declares under `inputs:`, as described by its module. Plain data without code.
import type { Value, WfRecord } from '../values/value-types.js';

export interface InputField {
  readonly name: string;
  readonly kind: FieldKind;
  /** It may be missing or empty. */
  readonly optional?: true;
  /** Its value if it is missing or empty. */
  readonly otherwise?: Value;
}

export type FieldKind =
  | TextKind
  | NumberKind
  | DateKind
  | { readonly is: 'yes or no' | 'email address' | 'anything' }
  | { readonly is: 'choice'; readonly values: readonly (string | number)[] }
  | { readonly is: 'record'; readonly fields: readonly InputField[] }
  | ListKind;

export interface TextKind {
  readonly is: 'text';
  /** Limits on the number of characters. */
  readonly least?: number;
  readonly most?: number;
  /** A pattern of `is like`. */
  readonly like?: string;
}

/** Limits: `from` and `to` are inclusive, `above` and `below` exclusive. */
export interface ValueLimits<T> {
  readonly from?: T;
  readonly to?: T;
  readonly above?: T;
  readonly below?: T;
}

export interface NumberKind extends ValueLimits<number> {
  readonly is: 'number' | 'whole number';
}

/** Its limits are ISO 8601 text. */
export interface DateKind extends ValueLimits<string> {
  readonly is: 'date' | 'time';
}

export interface ListKind {
  readonly is: 'list';
  readonly of: FieldKind;
  /** Limits on the number of items. */
  readonly least?: number;
  readonly most?: number;
}

/** A problem with a request. */
export interface InputProblem {
  /** Path of the field: `lines.0.quantity`. */
  readonly field: string;
  /** The kind that the field must have, and has. Completes a sentence that starts with the field. */
  readonly problem: string;
}

/** The request as the workflow gets it; valid only if there are no problems. */
export interface Acceptance {
  readonly request: WfRecord;
  readonly problems: readonly InputProblem[];
}
