// Emits `add … to …` as an in-place append, after a copy if something else may hold the list.
import type { Add, Name } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { emitTrace, ownership } from '../variables.js';

export function emitAdd(emitter: Emitter, { value, target, span, line }: Add): void {
  const item = emitter.temporary();
  emitter.line(`${item} = ${emitter.expression(value).alone};`, span);
  emitAppend(emitter, target, line, (push) => emitter.line(`${push}(${item});`, span));
}

/**
 * Emits code that appends to a variable.
 * @param emit receives the code of the function that takes one item
 */
export function emitAppend(emitter: Emitter, target: Name, line: number, emit: (push: string) => void): void {
  const collector = emitter.locals.find(target.text)?.round?.collector;
  if (collector !== undefined) {
    emit(`${collector}.push`);
    return;
  }
  const list = emitter.identifier(target.text);
  const own = ownership(emitter, target.text);
  emitter.line(
    `if (!${own}) ${list} = ${emitter.use('ownList')}(${list}, ${emitter.location(target.span, target.span)});`,
    target.span,
  );
  emitter.line(`${own} = true;`, target.span);
  emit(`${list}.push`);
  emitTrace(emitter, target.text, line);
}
