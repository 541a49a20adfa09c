// A field of a loop's item that is set but not read: the item is a copy, so the change is lost when the round ends.
import { blocksOf, expressionsOf, localsOf } from '../2-parse/children.js';
import type { Loop, Statement } from '../2-parse/tree.js';
import { isLoop, namesIn, statementsIn } from '../2-parse/walk.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';

export function checkLostChanges(checker: Checker, loop: Loop): void {
  const items = new Set(localsOf(loop).map(({ text }) => text));
  const all = [...statementsIn(loop.body)];
  for (const [index, statement] of all.entries()) {
    if (statement.kind !== 'set' || statement.fields.length === 0 || !items.has(statement.target.text)) continue;
    const item = statement.target.text;
    // A later round of a loop inside this one may read what an earlier one has set.
    const from = all.findIndex((outer) => outer === statement || (isLoop(outer.kind) && contains(outer, statement)));
    const isRead = all.some((other, at) => at >= from && at !== index && reads(other, item));
    if (!isRead) checker.report(catalogue.lostChange({ start: statement.span.start, end: statement.value.span.end }, item));
  }
}

const contains = (outer: Statement, inner: Statement): boolean =>
  blocksOf(outer).some((block) => [...statementsIn(block)].includes(inner));

/** Whether it reads the variable, or may: no one knows what a line means that could not be parsed. */
const reads = (statement: Statement, name: string): boolean =>
  statement.kind === 'broken' || expressionsOf(statement).some(({ expression }) => namesIn(expression).has(name));
