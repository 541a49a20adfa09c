// Emits `at the same time:` as one function per branch. Each has its own run object, and sets variables of the enclosing function.
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
