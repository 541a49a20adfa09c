// Emits `look up … in … with …`: the matching row provides the results, or the statements for no match run.
import type { LookUp } from '../../2-parse/tree.js';
import { jsText } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { assign } from './set.js';

export function emitLookUp(emitter: Emitter, statement: LookUp): void {
  const { results, table: name, pairs, nothing, line, span } = statement;
  const table = emitter.facts.tables.get(name.text);
  if (table === undefined) throw new Error('A workflow with errors is never emitted');
  const { constant, firstRow } = emitter.tables.use(table);
  const row = emitter.unique('row');
  const conditions = table.headings.filter(({ test }) => test !== undefined);
  const given = conditions.map((condition) => pairs.find(({ key }) => key.text === condition.name));
  const values = given.map((pair) => (pair === undefined ? 'null' : emitter.expression(pair.value).alone));
  const operands = given.map((pair) => jsText(pair === undefined ? '' : emitter.excerpt(pair.value.span)));
  emitter.line(
    `const ${row} = ${emitter.use('lookUp')}(${[
      constant,
      `[${values.join(', ')}]`,
      'run.days.calendar',
      `[${operands.join(', ')}]`,
      String(nothing !== undefined),
      emitter.location(span),
    ].join(', ')});`,
    span,
  );
  const columns = table.headings.filter(({ test }) => test === undefined).map((heading) => heading.name);
  const emitResults = (): void => {
    if (firstRow !== undefined) emitter.line(`run.reach(${firstRow} + ${row});`, span);
    for (const result of results)
      assign(emitter, result.text, `${constant}.results[${row}][${columns.indexOf(result.text)}]`, statement);
  };
  if (nothing === undefined) {
    emitResults();
    return;
  }
  emitter.line(`if (${row} !== -1) {`, span);
  emitter.writer.indented(() => {
    emitter.reach(line, 'branch', `a row of "${name.text}" fits`);
    emitResults();
  });
  emitter.line('} else {', nothing.span);
  emitter.writer.indented(() => {
    emitter.reach(nothing.line, 'branch', emitter.excerpt(nothing.span));
    emitter.block(nothing.body);
  });
  emitter.line('}');
}
