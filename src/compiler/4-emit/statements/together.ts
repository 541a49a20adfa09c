// Emits what runs concurrently: branches, and rounds of a loop.
import type { AtTheSameTime, Expression, Statement, TogetherLoop } from '../../2-parse/tree.js';
import { assignedIn, assignmentIn, namesSetIn } from '../../2-parse/walk.js';
import type { Span } from '../../diagnostics/diagnostic.js';
import type { Emitter } from '../emitter.js';
import { emitAppend, ownership, traceOf } from './set.js';

export function emitAtTheSameTime(emitter: Emitter, { body, until, line, span }: AtTheSameTime): void {
  const end = emitter.unique('end');
  const done = until === undefined ? undefined : emitter.unique('done');
  const before = done === undefined ? [] : body.map((statement) => emitBefore(emitter, statement, span, line));
  if (done !== undefined) emitter.line(`const ${done} = [];`, span);
  const place = placeOf(emitter, line, until, done);
  emitter.line(`const ${end} = await ${emitter.use('atTheSameTime')}(run, ${place}, [`, span);
  emitter.writer.indented(() => {
    for (const statement of body) {
      emitter.line('async (run) => {', statement.span);
      emitBranchFunction(emitter, () => emitter.block([statement]));
      emitter.line('},');
    }
  });
  emitter.line(']);');
  emitter.line(`if (${end} !== undefined) return ${end};`, span);
  for (const [index, restore] of before.entries())
    if (restore.length > 0) emitter.line(`if (!${done}.includes(${index})) { ${restore.join(' ')} }`, span);
}

/** The place of a block; with `until`, also how many must be done, and a list for the numbers of those that are. */
function placeOf(emitter: Emitter, line: number, until: Expression | undefined, done: string | undefined): string {
  const site = `line: ${line}, site: ${emitter.site(line)}`;
  if (until === undefined) return `{ ${site} }`;
  const count = `${emitter.use('roundsOf')}(${emitter.expression(until).code}, ${emitter.location(until.span, until.span)})`;
  return `{ ${site}, until: ${count}, done: ${done} }`;
}

/** Keeps the variables of a branch; returns the code that brings them back, for a branch that is not done. */
function emitBefore(emitter: Emitter, statement: Statement, span: Span, line: number): string[] {
  return [...assignedIn([statement])].flatMap((name) => {
    if (emitter.locals.find(name)?.round?.collector !== undefined) return [];
    const [variable, kept] = [emitter.identifier(name), emitter.unique('before')];
    emitter.line(`const ${kept} = ${variable};`, span);
    const back = `${variable} = ${kept};${traceOf(emitter, name, line)}`;
    if (!emitter.grown.has(name)) return [back];
    // The branch appends to a copy, so that the list that is kept stays as it is.
    emitter.line(`${ownership(emitter, name)} = false;`, span);
    return [back, `${ownership(emitter, name)} = false;`];
  });
}

/**
 * Emits `for each …, 10 at a time:` as a function per round. What it sets is local. What it adds to an outer list is collected, and
 * appended in the order of the rounds when all have ended.
 */
export function emitTogether(emitter: Emitter, loop: TogetherLoop): void {
  const { item, list, atATime, until, body, line, span } = loop;
  const { own, added } = namesSetIn(body);
  for (const names of [own, added]) names.delete(item.text);
  const [rounds, all, collected] = ['rounds', 'list', 'added'].map((stem) => emitter.unique(stem));
  const { code } = emitter.expression(list);
  emitter.line(`const ${all} = ${emitter.use('items')}(${code}, ${emitter.location(list.span, list.span)});`, span);
  const place = placeOf(emitter, line, until, '[]');
  const [targets, locals] = [[...added], [...own].map((name) => ({ name, identifier: emitter.itemIdentifier(name) }))];
  const identifier = emitter.itemIdentifier(item.text);
  emitter.line(
    `const ${rounds} = await ${emitter.use('roundsTogether')}(run, ${place}, ${all}, ${atATime === 'all' ? 'Infinity' : atATime.value}, ${targets.length}, async (run, ${identifier}, ${collected}) => {`,
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

/** Emits the body of a function that runs concurrently with others. It has its own loops, steps, temporaries and fuel. */
function emitBranchFunction(emitter: Emitter, emitBody: () => void): void {
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
