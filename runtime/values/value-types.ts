// The values of the language, and the source position of an operation. Types only, without imports: everything else builds on them.

/** A value of the language. `null` and `undefined` are both `empty`. */
export type Value = null | undefined | boolean | number | string | Value[] | { [key: string]: Value };

/** A record of the language. Always read it through own properties. */
export type WfRecord = { [key: string]: Value };

/** Place of an operation in the `.wf` file (from 1; length in UTF-16 units), then the source texts of its operands, left to right. */
export type SourceLocation = readonly [line: number, column: number, length: number, ...operands: string[]];

/** One part of the text after `at`: literal text, or a value with the name it was written as. */
export type PathPart = string | { readonly name: string; readonly value: Value };
