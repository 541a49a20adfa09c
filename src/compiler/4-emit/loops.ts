// `for each` → two loops: an inner one that never waits, so that the engine can compile it well, and around it one that lets other
// work go on whenever a portion of rounds is used up (language.md 5).
import type { ForEach } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';
import { emitExpression } from './expressions.js';
import { lateSums } from './late-sums.js';
import { emitBlock } from './statements.js';

export function emitForEach(emitter: Emitter, loop: ForEach): void {
  const { item, list, body, line, span } = loop;
  const [items, index, end, stop, label] = ['list', 'i', 'n', 'stop', 'loop'].map((stem) => emitter.unique(stem));
  emitter.hasLoops = true;
  const code = emitExpression(emitter, list);
  const checks: string[] = [];
  // A run that tells every variable that is set must not tell one that cannot be held.
  const late = emitter.options.trace === true ? new Map() : lateSums(loop);
  // Each loop has its own local for the item; a suffix keeps it apart from a variable of the run that it hides.
  const identifier = emitter.unique(emitter.symbols.identifier(item.text));
  emitter.line(`const ${items} = ${emitter.use('items')}(${code}, ${emitter.place(list.span, list.span)});`, span);
  emitter.line(`${label}: for (let ${index} = 0, ${end} = ${items}.length; ${index} < ${end}; ) {`, span);
  emitter.writer.indented(() => {
    emitter.line(`const ${stop} = ${end} - ${index} > fuel$ ? ${index} + fuel$ : ${end};`);
    emitter.line(`fuel$ -= ${stop} - ${index};`);
    // After a wait the engine knows nothing of a local any more; this tells it again which of them are numbers, so that it keeps them unboxed.
    const numbers = (emitter.facts.carried.get(loop) ?? []).filter(emitter.isNumber).map((name) => emitter.identifier(name));
    if (numbers.length > 0) emitter.line(numbers.map((name) => `${name} = +${name};`).join(' '));
    emitter.line(`for (; ${index} < ${stop}; ${index}++) {`, span);
    emitter.writer.indented(() => {
      emitter.line(
        `let ${identifier} = ${items}[${index}]${emitter.grown.has(item.text) ? `, ${identifier}$own = false` : ''};`,
        span,
      );
      emitter.loops.push({ item: item.text, identifier, label: label ?? '', steps: emitter.steps.length, late, checks });
      emitter.reach(line, 'branch', `a round of "${emitter.excerpt(span)}"`);
      emitBlock(emitter, body);
      emitter.loops.pop();
    });
    emitter.line('}');
    emitter.line(`if (fuel$ <= 0) fuel$ = run.refuel(${index}, ${end}, ${line}) || (await run.breathe());`, span);
  });
  emitter.line('}');
  for (const check of checks) emitter.line(check, span);
}
