// Emits `is empty`, `exists` and their opposites as calls of the runtime.
import type { StateTest } from '../../2-parse/tree.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import type { RuntimeName } from '../runtime-names.js';

const states: Readonly<Record<StateTest['state'], { readonly name: RuntimeName; readonly isNegated: boolean }>> = {
  'is empty': { name: 'isEmpty', isNegated: false },
  'is not empty': { name: 'isEmpty', isNegated: true },
  exists: { name: 'exists', isNegated: false },
  'does not exist': { name: 'exists', isNegated: true },
};

export function emitState(emitter: Emitter, { state, value }: StateTest): EmittedCode {
  const { name, isNegated } = states[state];
  return operandCode(`${isNegated ? '!' : ''}${emitter.use(name)}(${emitter.expression(value).code})`, 'boolean');
}
