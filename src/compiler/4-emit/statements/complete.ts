// Emits `complete with …` as the end of the run, with its outputs.
import type { Complete } from '../../2-parse/tree.js';
import { emitPairs } from '../emit-pairs.js';
import type { Emitter } from '../emitter.js';

export const emitComplete = (emitter: Emitter, { pairs, span }: Complete): void =>
  emitter.line(`return ${emitter.use('completed')}(${emitPairs(emitter, pairs)});`, span);
