// Emits `wait until …` as a pause of the run.
import type { WaitUntil } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';

export const emitWaitUntil = (emitter: Emitter, { moment, line, span }: WaitUntil): void =>
  emitter.line(
    `await ${emitter.use('waitUntil')}(run, ${emitter.expression(moment).code}, ${emitter.location(span, moment.span)}, ${emitter.site(line)});`,
    span,
  );
