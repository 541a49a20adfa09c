// A piece of emitted JavaScript together with what is known about it: it stays data until it is printed, and no phase inspects its text.
// Quoting is the only way for text of a `.wf` file into an emitted module.
import type { ValueType } from '../3-check/infer-types.js';

export interface EmittedCode {
  /** Can stand anywhere in an expression without further parentheses. */
  readonly code: string;
  /** For positions without neighbours: to the right of `=`, in the parentheses of an `if`. */
  readonly alone: string;
  /** Type of its value, whenever it has one. */
  readonly type: ValueType;
  /** A local or a fixed value: it can be repeated, because reading it again changes and costs nothing. */
  readonly isAtomic: boolean;
}

/** A local or a fixed value. */
export const atomCode = (code: string, type: ValueType = 'unknown'): EmittedCode => ({ code, alone: code, type, isAtomic: true });

/** Code that needs no parentheses next to any operator, such as a call. */
export const operandCode = (code: string, type: ValueType = 'unknown'): EmittedCode => ({
  code,
  alone: code,
  type,
  isAtomic: false,
});

/** Code with operators: it needs parentheses unless it stands alone. */
export const groupedCode = (alone: string, type: ValueType = 'unknown'): EmittedCode => ({
  code: `(${alone})`,
  alone,
  type,
  isAtomic: false,
});

/** Steps in sequence, the last of which is the value. Needs parentheses everywhere: `a = b, c` means something else. */
export const sequenceCode = (steps: readonly string[], type: ValueType = 'unknown'): EmittedCode =>
  steps.length === 1 ? groupedCode(steps[0] ?? '', type) : operandCode(`(${steps.join(', ')})`, type);

export const mayBeNumber = ({ type }: EmittedCode): boolean => type === 'number' || type === 'unknown';

/** A string literal: quotes, line ends (also U+2028 and U+2029) and `</` are escaped, so that it is data wherever it stands. */
export const jsText = (text: string): string => escaped(JSON.stringify(text));

/** A literal of plain data: objects, arrays, strings, numbers, booleans. Keys of objects must be fixed words of ours. */
export const jsData = (data: unknown): string => escaped(JSON.stringify(data) ?? 'undefined');

/** A comment line, which nothing in it can end. */
export const jsComment = (text: string): string =>
  // Most lines need no cleaning, and V8 takes a millisecond to prepare Unicode classes.
  `// ${/^[ -~]*$/.test(text) ? text.trimEnd() : text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').trimEnd()}`;

const escaped = (json: string): string =>
  json
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
    .replace(/<\//g, '<\\/');
