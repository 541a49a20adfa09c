// Emits `rows sorted by price` and `rows grouped by country` as runtime calls with the path of the field.
import type { Arranged } from '../../2-parse/tree.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export function emitArranged(emitter: Emitter, { how, list, path, isDescending, span }: Arranged): EmittedCode {
  const keys = `[${path.map(jsText).join(', ')}]`;
  const { code } = emitter.expression(list);
  const location = emitter.location(span, list.span);
  const call =
    how === 'sorted'
      ? emitter.longCall('sorted', 'sortedSteps', [code, keys, String(isDescending), location])
      : emitter.longCall('groupedBy', 'groupedSteps', [code, keys, location]);
  return operandCode(call, 'list');
}
