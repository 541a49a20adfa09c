// Leaves the current round of a loop and closes the steps opened in it.
import type { Skip, Stop } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';

/** Emits `skip` and `stop the loop`. The loop knows how to leave each. */
export function leaveRound(emitter: Emitter, { kind, span }: Skip | Stop): void {
  const loop = emitter.loops.at(-1);
  const step = emitter.steps[loop?.steps ?? 0];
  if (step !== undefined) emitter.line(`run.leave(${step});`, span);
  emitter.line(`${loop?.jumps[kind] ?? ''};`, span);
}
