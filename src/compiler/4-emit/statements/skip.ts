// Emits `skip`: continues the inner of the two loops that a `for each` consists of.
import type { Skip } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { leaveRound } from '../leave-round.js';

export const emitSkip = (emitter: Emitter, { span }: Skip): void => leaveRound(emitter, 'continue', span);
