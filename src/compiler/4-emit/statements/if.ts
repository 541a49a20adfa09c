// Emits `if` and its branches.
import type { If } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';

export function emitIf(emitter: Emitter, { branches, otherwise }: If): void {
  branches.forEach((branch, index) => {
    // All conditions share their temporaries: each is evaluated only if those before it are false.
    emitter.line(`${index === 0 ? '' : '} else '}if (${emitter.condition(branch.condition).alone}) {`, branch.span);
    emitter.writer.indented(() => {
      emitter.reach(branch.line, 'branch', emitter.excerpt(branch.span));
      emitter.block(branch.body);
    });
    emitter.freeTemporaries();
  });
  if (otherwise !== undefined || emitter.options.coverage === true) {
    emitter.line('} else {', otherwise?.span);
    emitter.writer.indented(() => {
      const first = branches[0];
      if (otherwise !== undefined) emitter.reach(otherwise.line, 'branch', 'otherwise:');
      else if (first !== undefined) emitter.reach(first.line, 'branch', `"${emitter.excerpt(first.span)}" not taken`);
      if (otherwise !== undefined) emitter.block(otherwise.body);
    });
  }
  emitter.line('}');
}
