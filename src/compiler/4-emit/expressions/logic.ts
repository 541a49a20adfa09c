// Emits `and`, `or` and `not` over conditions.
import type { Logic, Not } from '../../2-parse/tree.js';
import { type EmittedCode, groupedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';

export const emitNot = (emitter: Emitter, { operand: inner }: Not): EmittedCode =>
  operandCode(`!${emitter.condition(inner).code}`, 'boolean');

export const emitLogic = (emitter: Emitter, { operator, operands }: Logic): EmittedCode =>
  groupedCode(operands.map((inner) => emitter.condition(inner).code).join(operator === 'and' ? ' && ' : ' || '), 'boolean');
