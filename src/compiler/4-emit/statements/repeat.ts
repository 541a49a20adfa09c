// Emits `repeat at most 10 times:` and `repeat until …, at most 10 times:` as a loop that counts its rounds.
import { ROUND } from '../../2-parse/children.js';
import type { Repeat } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { emitLoop } from './loop.js';

export function emitRepeat(emitter: Emitter, loop: Repeat): void {
  const { most, until } = loop;
  const { code } = emitter.expression(most);
  emitLoop(emitter, loop, {
    count: `${emitter.use('roundsOf')}(${code}, ${emitter.location(most.span, most.span)})`,
    items: [{ name: ROUND, identifier: emitter.itemIdentifier(ROUND), value: (index) => `${index} + 1` }],
    ...(until === undefined ? {} : { before: (label) => `if (${emitter.condition(until).alone}) break ${label};` }),
  });
}
