// Emits quoted text: `"Hello {name}"` becomes `"Hello " + show(name)`.
import type { Reference, Text } from '../../2-parse/tree.js';
import { type EmittedCode, groupedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export function emitText(emitter: Emitter, { parts }: Text): EmittedCode {
  const [only = ''] = parts;
  if (parts.length <= 1) return operandCode(partOf(emitter, only), 'text');
  return groupedCode(parts.map((part) => partOf(emitter, part)).join(' + '), 'text');
}

function partOf(emitter: Emitter, part: string | Reference): string {
  if (typeof part === 'string') return jsText(part);
  const { code, type } = emitter.expression(part);
  return type === 'text' ? code : `${emitter.use('show')}(${code})`;
}
