// Emits a service call with its verb and path.
import type { Call, Text } from '../../2-parse/tree.js';
import { emitPairs } from '../emit-pairs.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';
import { emitAnyCall } from './call-parts.js';

export function emitCall(emitter: Emitter, call: Call): void {
  const [verb = '', ...description] = call.phrase;
  emitAnyCall(emitter, call, [
    `verb: ${jsText(verb)}`,
    `description: ${jsText(description.join(' '))}`,
    ...(call.at === undefined ? [] : [`path: ${emitPath(emitter, call.at)}`]),
    ...(call.running === undefined ? [] : [`statement: ${emitPath(emitter, call.running)}`]),
    ...(call.where.length === 0 ? [] : [`where: ${emitPairs(emitter, call.where)}`]),
  ]);
}

/** Literal text as it is; values with the names they were written as. */
function emitPath(emitter: Emitter, { parts }: Text): string {
  const codes = parts.map((part) => {
    if (typeof part === 'string') return jsText(part);
    const name = jsText([part.root, ...part.fields].join('.'));
    return `{ name: ${name}, value: ${emitter.expression(part).code} }`;
  });
  return `[${codes.join(', ')}]`;
}
