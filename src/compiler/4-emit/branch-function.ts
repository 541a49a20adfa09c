// Emits the body of a function that runs concurrently with others. It has its own loops, steps, temporaries and fuel.
import type { Emitter } from './emitter.js';

export function emitBranchFunction(emitter: Emitter, emitBody: () => void): void {
  const { writer } = emitter;
  const [loops, steps, hadLoops] = [emitter.loops.splice(0), emitter.steps.splice(0), emitter.hasLoops];
  emitter.hasLoops = false;
  writer.indented(() => {
    const start = writer.length;
    const { temporaries } = emitter.inFunction(emitBody);
    writer.insertIndented(start, [
      ...(temporaries.length === 0 ? [] : [`let ${temporaries.join(', ')};`]),
      ...(emitter.hasLoops ? ['let fuel$ = 16;'] : []),
    ]);
  });
  emitter.loops.push(...loops);
  emitter.steps.push(...steps);
  emitter.hasLoops = hadLoops;
}
