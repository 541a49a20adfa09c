// Emits `prices.{country}.net` as one runtime call per field named by a value, and for the fields after it.
import type { FieldOf, Reference } from '../../2-parse/tree.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export function emitField(emitter: Emitter, { owner, keys, span }: FieldOf): EmittedCode {
  const location = emitter.location(span, span);
  return keys.reduce<EmittedCode>((value, key) => {
    if (typeof key === 'string') return operandCode(`${emitter.use('field')}(${value.code}, ${jsText(key)}, ${location})`);
    const name = emitter.expression(key).code;
    return operandCode(
      `${emitter.use('fieldNamed')}(${value.code}, ${name}, ${location}, ${emitter.location(key.span, key.span)})`,
    );
  }, emitter.expression(owner));
}

/** The name of a field to set: literal, or the content of its variable. */
export function emitFieldName(emitter: Emitter, key: string | Reference): string {
  if (typeof key === 'string') return jsText(key);
  return `${emitter.use('fieldName')}(${emitter.expression(key).code}, ${emitter.location(key.span, key.span)})`;
}
