// Emits `for each …, 10 at a time:` as a function per round. What it sets is local. What it adds to an outer list is collected, and
// appended in the order of the rounds when all have ended.

import { assignmentIn } from '../../2-parse/assignment-in.js';
import type { TogetherLoop } from '../../2-parse/tree.js';
import { namesSetIn } from '../../2-parse/walk.js';
import { emitBranchFunction } from '../branch-function.js';
import type { Emitter } from '../emitter.js';
import { emitAppend } from './add.js';

export function emitTogether(emitter: Emitter, loop: TogetherLoop): void {
  const { item, list, atATime, body, line, span } = loop;
  const { own, added } = namesSetIn(body);
  for (const names of [own, added]) names.delete(item.text);
  const [rounds, all, collected] = ['rounds', 'list', 'added'].map((stem) => emitter.unique(stem));
  const { code } = emitter.expression(list);
  emitter.line(`const ${all} = ${emitter.use('items')}(${code}, ${emitter.location(list.span, list.span)});`, span);
  const place = `{ line: ${line}, site: ${emitter.site(line)} }`;
  const [targets, locals] = [[...added], [...own].map((name) => ({ name, identifier: emitter.itemIdentifier(name) }))];
  const identifier = emitter.itemIdentifier(item.text);
  emitter.line(
    `const ${rounds} = await ${emitter.use('roundsTogether')}(run, ${place}, ${all}, ${atATime.value}, ${targets.length}, async (run, ${identifier}, ${collected}) => {`,
    span,
  );
  emitBranchFunction(emitter, () => {
    const declared = [
      ...(emitter.grown.has(item.text) ? [`${identifier}$own = false`] : []),
      ...locals.flatMap((local) => [
        local.identifier,
        ...(emitter.grown.has(local.name) ? [`${local.identifier}$own = false`] : []),
      ]),
    ];
    if (declared.length > 0) emitter.line(`let ${declared.join(', ')};`, span);
    emitter.reach(line, 'branch', `"${emitter.excerpt(span)}" with an item`);
    emitter.loops.push({ jumps: { skip: 'return', stop: "return 'stop'" }, steps: 0, late: new Map(), checks: [] });
    const names = [
      ...targets.map((name, index) => ({ name, identifier: '', collector: `${collected}[${index}]` })),
      ...locals.map((local) => ({ ...local, collector: undefined })),
    ];
    emitter.withItem(
      item.text,
      identifier,
      names.reduceRight<() => void>(
        (inner, { name, identifier: local, collector }) =>
          () =>
            emitter.locals.within({ name, identifier: local, round: { collector } }, inner),
        () => emitter.block(body),
      ),
    );
    emitter.loops.pop();
  });
  emitter.line('});');
  emitter.line(`if (${rounds}.end !== undefined) return ${rounds}.end;`, span);
  for (const [index, name] of targets.entries()) {
    const target = assignmentIn(body, name)?.span ?? span;
    emitter.line(`if (${rounds}.added[${index}].length > 0) {`, span);
    emitter.writer.indented(() => {
      const [one] = [emitter.unique('item')];
      emitAppend(emitter, { text: name, span: target }, line, (push) => {
        emitter.line(`for (const ${one} of ${rounds}.added[${index}]) ${push}(${one});`, span);
      });
    });
    emitter.line('}');
  }
}
