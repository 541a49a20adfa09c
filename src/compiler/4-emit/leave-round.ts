// Leaves the current round of a loop and closes the steps opened in it; shared by `skip` and `stop the loop`.
import type { Span } from '../diagnostics/diagnostic.js';
import type { Emitter } from './emitter.js';

/** `jump` is the statement of JavaScript that goes to the next round or out of the loop. */
export function leaveRound(emitter: Emitter, jump: string, span: Span): void {
  const step = emitter.steps[emitter.loops.at(-1)?.steps ?? 0];
  if (step !== undefined) emitter.line(`run.leave(${step});`, span);
  emitter.line(`${jump};`, span);
}
