// Emits `log …` as a log entry with its line number.
import type { Log } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';

export function emitLog(emitter: Emitter, { value, line, span }: Log): void {
  emitter.sizedOperations++;
  emitter.line(`run.log(${emitter.expression(value).code}, ${line});`, span);
}
