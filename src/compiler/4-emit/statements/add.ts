// Emits `add … to …` as an in-place append, after a copy if something else may hold the list.
import type { Add } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { emitTrace, ownership } from '../variables.js';

export function emitAdd(emitter: Emitter, { value, target, span, line }: Add): void {
  const list = emitter.identifier(target.text);
  const own = ownership(emitter, target.text);
  const item = emitter.temporary();
  emitter.line(`${item} = ${emitter.expression(value).alone};`, span);
  emitter.line(`if (!${own}) ${list} = ${emitter.use('ownList')}(${list}, ${emitter.location(target.span, target.span)});`, span);
  emitter.line(`${own} = true;`, span);
  emitter.line(`${list}.push(${item});`, span);
  emitTrace(emitter, target.text, line);
}
