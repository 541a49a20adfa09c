// Emits `stop the loop`: leaves both loops that a `for each` consists of.
import type { Stop } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { leaveRound } from '../leave-round.js';

export const emitStop = (emitter: Emitter, { span }: Stop): void =>
  leaveRound(emitter, `break ${emitter.loops.at(-1)?.label ?? ''}`, span);
