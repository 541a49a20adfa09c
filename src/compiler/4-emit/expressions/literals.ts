// Emits numbers, constants, lists and parentheses. JavaScript gets its own parentheses where it needs them.
import type { Constant, Group, List, NumberLiteral } from '../../2-parse/tree.js';
import { atomCode, type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';

/** Negative numbers get parentheses, so that two signs never meet. */
export const emitNumber = (_emitter: Emitter, { value }: NumberLiteral): EmittedCode =>
  atomCode(value < 0 || Object.is(value, -0) ? `(${value})` : String(value), 'number');

export const emitConstant = (_emitter: Emitter, { value }: Constant): EmittedCode =>
  atomCode(String(value), value === null ? 'empty' : 'boolean');

export const emitList = (emitter: Emitter, { items }: List): EmittedCode =>
  operandCode(`[${items.map((item) => emitter.expression(item).code).join(', ')}]`, 'list');

export const emitGroup = (emitter: Emitter, { inner }: Group): EmittedCode => emitter.expression(inner);
