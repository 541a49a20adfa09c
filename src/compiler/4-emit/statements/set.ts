// Emits `set … to …` as an assignment. Setting a field copies the records on the path to it.
import type { SetVariable } from '../../2-parse/tree.js';
import { emitDeferredCheck } from '../deferred-overflow-checks.js';
import type { Emitter } from '../emitter.js';
import { emitFieldName } from '../expressions/field.js';
import { assign } from '../variables.js';

export function emitSet(emitter: Emitter, statement: SetVariable): void {
  const { target, fields, pathSpan, value, span } = statement;
  const loop = emitter.loops.at(-1);
  const late = loop?.late.get(statement);
  const sum = late === undefined ? undefined : emitDeferredCheck(emitter, late);
  if (sum !== undefined) {
    loop?.checks.push(sum.check);
    emitter.line(`${emitter.identifier(target.text)} = ${sum.code};`, span);
    return;
  }
  const { code, alone } = emitter.expression(value);
  if (fields.length === 0) {
    assign(emitter, target.text, alone, statement);
    return;
  }
  const variable = emitter.identifier(target.text);
  const location = emitter.location(pathSpan, target.span);
  const keys = fields.map((key) => emitFieldName(emitter, key)).join(', ');
  assign(emitter, target.text, `${emitter.use('setField')}(${variable}, [${keys}], ${code}, ${location})`, statement);
}
