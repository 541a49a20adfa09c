// Emits `at the same time:` as one function for each branch. Each gets a run of its own, and sets the variables of the function around it.
import type { AtTheSameTime } from '../../2-parse/tree.js';
import { emitBranchFunction } from '../branch-function.js';
import type { Emitter } from '../emitter.js';

export function emitAtTheSameTime(emitter: Emitter, { body, line, span }: AtTheSameTime): void {
  const end = emitter.unique('end');
  emitter.line(
    `const ${end} = await ${emitter.use('atTheSameTime')}(run, { line: ${line}, site: ${emitter.site(line)} }, [`,
    span,
  );
  emitter.writer.indented(() => {
    for (const statement of body) {
      emitter.line('async (run) => {', statement.span);
      emitBranchFunction(emitter, () => emitter.block([statement]));
      emitter.line('},');
    }
  });
  emitter.line(']);');
  emitter.line(`if (${end} !== undefined) return ${end};`, span);
}
