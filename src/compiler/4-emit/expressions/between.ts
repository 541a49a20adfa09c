// Emits `is between … and …` as a call of the runtime.
import type { Between } from '../../2-parse/tree.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';

export function emitBetween(emitter: Emitter, { value, low, high, span }: Between): EmittedCode {
  const codes = [value, low, high].map((part) => emitter.expression(part).code);
  const location = emitter.location(span, value.span, low.span, high.span);
  return operandCode(`${emitter.use('between')}(${codes.join(', ')}, ${location})`, 'boolean');
}
