// Emits `reject with …` as the end of the run, with its message.
import type { Reject } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';

export const emitReject = (emitter: Emitter, { message, span }: Reject): void =>
  emitter.line(`return ${emitter.use('rejected')}(${emitter.expression(message).code});`, span);
