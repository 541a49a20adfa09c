// A field of a loop's item that is set but not read: the item is a copy, so the change is lost when the round ends.
import { blocksOf, expressionsOf, localsOf } from '../2-parse/children.js';
import type { Loop, SetVariable, Statement } from '../2-parse/tree.js';
import { isLoop, namesIn, statementsIn } from '../2-parse/walk.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';

export function checkLostChanges(checker: Checker, loop: Loop): void {
  const all = [...statementsIn(loop.body)];
  for (const { text } of localsOf(loop)) checkItem(checker, all, text);
}

/** Looks at each statement once: a loop can have many thousands. */
function checkItem(checker: Checker, all: readonly Statement[], item: string): void {
  const isChange = (one: Statement): one is SetVariable =>
    one.kind === 'set' && one.fields.length > 0 && one.target.text === item;
  if (!all.some(isChange)) return;
  const readers = all.flatMap((statement, index) => (reads(statement, item) ? [index] : []));
  let from = 0;
  let end = 0;
  for (const [index, statement] of all.entries()) {
    if (index >= end) {
      from = index;
      // A later round of a loop inside this one may read what an earlier one has set.
      end = index + 1 + (isLoop(statement.kind) ? countInside(statement) : 0);
    }
    const last = readers.at(-1) === index ? readers.at(-2) : readers.at(-1);
    if (isChange(statement) && (last === undefined || last < from))
      checker.report(catalogue.lostChange({ start: statement.span.start, end: statement.value.span.end }, item));
  }
}

const countInside = (outer: Statement): number =>
  blocksOf(outer).reduce((sum, block) => sum + [...statementsIn(block)].length, 0);

/** Whether it reads the variable, or may: no one knows what a line means that could not be parsed. */
const reads = (statement: Statement, name: string): boolean =>
  statement.kind === 'broken' || expressionsOf(statement).some(({ expression }) => namesIn(expression).has(name));
