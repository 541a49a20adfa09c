// Emits `record with …` as an object literal. `__proto__`, which JavaScript treats specially there, is a computed key.
import type { RecordValue } from '../../2-parse/tree.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export function emitRecord(emitter: Emitter, { pairs }: RecordValue): EmittedCode {
  const fields = pairs.map(({ key, value }) => {
    const name = jsText(key.text);
    return `${key.text === '__proto__' ? `[${name}]` : name}: ${emitter.expression(value).code}`;
  });
  return operandCode(`{ ${fields.join(', ')} }`, 'record');
}
