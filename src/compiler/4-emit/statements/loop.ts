// Emits every loop as two: an inner one without `await`, which the engine compiles well, and an outer one that yields to the event loop
// after each slice of rounds.
import type { Loop, Statement } from '../../2-parse/tree.js';
import type { DeferredCheck } from '../deferred-overflow-checks.js';
import type { Emitter } from '../emitter.js';

export interface Rounds {
  /** The number of rounds; evaluated once. */
  readonly count: string;
  /** The names in the block: each with its identifier, and its value in the round with this index. */
  readonly items: readonly { readonly name: string; readonly identifier: string; readonly value: (index: string) => string }[];
  /** Code that leaves the loop before a round; `label` is that of the loop. */
  readonly before?: (label: string) => string;
  /** Statements whose result is checked after the loop. */
  readonly late?: ReadonlyMap<Statement, DeferredCheck>;
}

export function emitLoop(emitter: Emitter, loop: Loop, { count, items, before, late = new Map() }: Rounds): void {
  const { body, line, span } = loop;
  const [index, end, stop, at, label] = ['i', 'n', 'stop', 'at', 'loop'].map((stem) => emitter.unique(stem));
  emitter.hasLoops = true;
  const checks: string[] = [];
  emitter.line(`${label}: for (let ${index} = 0, ${end} = ${count}; ${index} < ${end}; ) {`, span);
  emitter.writer.indented(() => {
    emitter.line(`const ${stop} = (${end} - ${index} > fuel$ ? ${index} + fuel$ : ${end}) | 0;`);
    // Before the rounds, as they may leave the loop.
    emitter.line(`fuel$ -= ${stop} - ${index};`);
    // After an `await`, the engine has forgotten the types of locals. This restates which are numbers, so that it keeps them unboxed;
    // `| 0` does so for the index.
    const numbers = (emitter.facts.carried.get(loop) ?? []).filter(emitter.isNumber).map((name) => emitter.identifier(name));
    if (numbers.length > 0) emitter.line(numbers.map((name) => `${name} = +${name};`).join(' '));
    emitter.line(`let ${at} = ${index} | 0;`);
    const [start, sized] = [emitter.writer.length, emitter.sizedOperations];
    emitter.writer.indented(() => {
      for (const { name, identifier, value } of items) {
        const own = emitter.grown.has(name) ? `, ${identifier}$own = false` : '';
        emitter.line(`let ${identifier} = ${value(at ?? '')}${own};`, span);
      }
      const emitRound = (): void => {
        if (before !== undefined) emitter.line(before(label ?? ''), span);
        emitter.loops.push({ jumps: { skip: 'continue', stop: `break ${label}` }, steps: emitter.steps.length, late, checks });
        emitter.reach(
          line,
          'branch',
          loop.kind === 'repeat' ? `a round of "${emitter.excerpt(span)}"` : `"${emitter.excerpt(span)}" with an item`,
        );
        emitter.block(body);
        emitter.loops.pop();
      };
      items.reduceRight<() => void>(
        (inner, { name, identifier }) =>
          () =>
            emitter.withItem(name, identifier, inner),
        emitRound,
      )();
    });
    // Costly rounds check the clock before the slice is used up. A jump out of the rounds for that, instead of a condition, can double the
    // time of a loop: the engine then boxes totals.
    const isDue = emitter.sizedOperations > sized ? `${emitter.use('workload')}.isDue` : undefined;
    const isOver = isDue === undefined ? '' : ` && !${isDue}`;
    emitter.writer.insert(start, [`for (; ${at} < ${stop}${isOver}; ${at}++) {`], emitter.origin(span.start));
    emitter.line('}');
    emitter.line(`${index} = ${at};`);
    const isEmpty = isDue === undefined ? 'fuel$ <= 0' : `fuel$ <= 0 || ${isDue}`;
    emitter.line(`if (${isEmpty}) fuel$ = run.refuel(${index}, ${end}, ${line}) || (await run.yieldToEventLoop());`, span);
  });
  emitter.line('}');
  for (const check of checks) emitter.line(check, span);
}
