// Emits `wait …` as a pause of the run.
import type { Wait } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export const emitWait = (emitter: Emitter, { amount, unit, line, span }: Wait): void =>
  emitter.line(
    `await run.wait(${emitter.expression(amount).code}, ${jsText(unit)}, ${emitter.location(span, amount.span)}, ${emitter.site(line)});`,
    span,
  );
