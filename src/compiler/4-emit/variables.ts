// Emits what accompanies each assignment: list ownership, and the trace of `--verbose`.
import type { Statement } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';
import { jsText } from './javascript-text.js';

/** The local that records whether a variable owns its list. */
export const ownership = (emitter: Emitter, name: string): string => `${emitter.identifier(name)}$own`;

/**
 * Assigns a value that something else may hold too.
 * @param condition what precedes the assignment: an `if`, or nothing
 */
export function assign(emitter: Emitter, name: string, code: string, { span, line }: Statement, condition = ''): void {
  emitter.line(`${condition}${emitter.identifier(name)} = ${code};`, span);
  if (emitter.grown.has(name)) emitter.line(`${ownership(emitter, name)} = false;`, span);
  emitTrace(emitter, name, line);
}

/** Reports the new value of a variable to a traced run. */
export function emitTrace(emitter: Emitter, name: string, line: number): void {
  if (emitter.options.trace === true) emitter.writer.line(`run.set(${jsText(name)}, ${emitter.identifier(name)}, ${line});`);
}
