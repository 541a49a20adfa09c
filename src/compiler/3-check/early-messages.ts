// Warns about a `wait for` whose message may come so early that it is no longer kept: a value of its pairs is known outside long before the
// run waits.
import { DAY_MS } from '../../../runtime/dates/date-unit.js';
import type { AmountOfTime, Block, Expression, Statement, WaitFor } from '../2-parse/tree.js';
import { assignedBy, blocksOf, blocksRun, isLoop, isWaiting, localsOf, namesIn, statementsIn } from '../2-parse/walk.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { inMilliseconds } from './check-time-span.js';
import type { Checker } from './checker.js';

/** As long as stores keep a message for which no run waits, unless `--keep-messages` says otherwise. */
const KEPT_MS = 7 * DAY_MS;

/** More than anybody writes: the time grows with the square of their number. */
const MOST_STATEMENTS = 2_000;

/** The longest wait since each variable got a value that the request did not give. */
type Ages = Map<string, number>;

export function checkEarlyMessages(checker: Checker, body: Block): void {
  const statements = [...statementsIn(body)];
  const isWanted = statements.some((one) => one.kind === 'wait for' && one.pairs.length > 0);
  if (isWanted && statements.length <= MOST_STATEMENTS) walk(checker, body, new Map());
}

function walk(checker: Checker, block: Block, ages: Ages): void {
  for (const statement of block) {
    if (statement.kind === 'wait for') checkWait(checker, statement, ages);
    const waited = waitOf(checker, statement);
    if (waited > 0) age(ages, waited);
    const sets = assignedBy(statement);
    for (const { name, value } of sets) {
      if (typeof value === 'object' && isFromRequest(value, ages)) ages.delete(name);
      else ages.set(name, 0);
    }
    walkBlocks(checker, statement, ages);
  }
}

function walkBlocks(checker: Checker, statement: Statement, ages: Ages): void {
  const blocks = statement.kind === 'at the same time' ? statement.body.map((branch) => [branch]) : blocksOf(statement);
  if (blocks.length === 0) return;
  // A later round comes after the waits of those before.
  const isInTurn = isLoop(statement.kind) && !(statement.kind === 'for each' && statement.atATime === 'all');
  if (isInTurn) for (const block of blocks) age(ages, totalOf(checker, block));
  const before = new Map(ages);
  for (const { text } of localsOf(statement)) before.set(text, 0);
  const after = blocks.map((block) => {
    const own = new Map(before);
    walk(checker, block, own);
    return own;
  });
  if (blocksRun(statement) !== 'one') after.push(before);
  ages.clear();
  for (const one of after) for (const [name, ms] of one) ages.set(name, Math.max(ms, ages.get(name) ?? 0));
  for (const { text } of localsOf(statement)) ages.delete(text);
}

function age(ages: Ages, ms: number): void {
  for (const [name, before] of ages) ages.set(name, before + ms);
}

const isFromRequest = (value: Expression, ages: Ages): boolean => [...namesIn(value)].every((name) => !ages.has(name));

/** A message fits as soon as the last of its values is known. */
function checkWait(checker: Checker, { message, pairs, span }: WaitFor, ages: Ages): void {
  const names = new Set(pairs.flatMap(({ value }) => [...namesIn(value)]).filter((name) => ages.has(name)));
  const known = Math.min(...[...names].map((name) => ages.get(name) ?? 0));
  if (names.size === 0 || known <= KEPT_MS) return;
  checker.report(catalogue.mayComeTooEarly(span, message.text, [...names][0] ?? ''));
}

const totalOf = (checker: Checker, block: Block): number => {
  let total = 0;
  for (const statement of statementsIn(block)) total += waitOf(checker, statement);
  return total;
};

/** The longest time that a statement may wait itself, in milliseconds. What only the data knows counts for units of a day and more. */
function waitOf({ services }: Checker, statement: Statement): number {
  if (!isWaiting(statement)) return 0;
  switch (statement.kind) {
    case 'wait':
      return longest(statement);
    case 'wait until':
      return statement.moment === undefined ? 0 : isNear(statement.moment) ? 0 : Number.POSITIVE_INFINITY;
    case 'wait for':
      return statement.atMost === undefined ? Number.POSITIVE_INFINITY : longest(statement.atMost);
    case 'ask':
      if (services.get(statement.service.text)?.kind !== 'person') return 0;
      return statement.within === undefined ? Number.POSITIVE_INFINITY : longest(statement.within);
  }
}

const isNear = (moment: Expression): boolean => [...namesIn(moment)].every((name) => name === 'today' || name === 'now');

function longest({ amount, unit }: Pick<AmountOfTime, 'amount' | 'unit'>): number {
  if (amount.kind === 'number') return inMilliseconds({ amount: amount.value, unit });
  return inMilliseconds({ amount: 1, unit }) < DAY_MS ? 0 : Number.POSITIVE_INFINITY;
}
