// Checks the statements of a block in execution order. One line here and one file per kind; `tsc` reports a missing kind.
import type { Block, Broken, Complete, If, Log, Reject, Statement, Step } from '../../2-parse/tree.js';
import { assignedIn, blocksOf, blocksRun, ROUND, referencesIn } from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { endOf, keywordOf } from '../../vocabulary/statement-table.js';
import { type Checker, checkPairs } from '../checker.js';
import { checkCondition } from '../expressions/logic.js';
import { numberKind } from '../kinds/kind.js';
import { bothFacts, factsOf, type PassedFacts } from '../passed-conditions.js';
import { reserved } from '../scope.js';
import { checkAtTheSameTime } from './at-the-same-time.js';
import { checkAsk, checkCall } from './call.js';
import { checkForEach, checkForEachField, checkRepeat } from './for-each.js';
import { checkLookUp } from './look-up.js';
import { checkAdd, checkSet } from './set.js';
import { checkWait, checkWaitFor, checkWaitUntil } from './wait.js';

/** JavaScript nests each `else if` in the one before, and runs out of stack after some thousands. */
const mostBranches = 1_000;

/** Checks `if` and its branches. A variable counts as set afterwards only if every branch sets it. */
function checkIf(checker: Checker, { branches, otherwise }: If): void {
  const { scope } = checker;
  const surplus = branches[mostBranches];
  if (surplus !== undefined) checker.report(catalogue.tooManyBranches(surplus.condition.span, mostBranches));
  const effects = branches.map(({ condition, body }) => {
    checker.reported.clear();
    checkCondition(checker, condition);
    const factsFor = (answer: boolean): PassedFacts => factsOf(condition, answer, (expression) => checker.kindOf(expression));
    const effect = scope.branch(() => {
      scope.facts = bothFacts(scope.facts, factsFor(true));
      checker.block(body);
    });
    scope.facts = bothFacts(scope.facts, factsFor(false));
    return effect;
  });
  effects.push(scope.branch(() => otherwise !== undefined && checker.block(otherwise.body)));
  scope.join(effects);
}

/** Checks `step …:`. Logs and tests identify steps by name, so names must differ. */
function checkStep(checker: Checker, { name, body, line }: Step): void {
  const first = checker.steps.get(name.text);
  if (first === undefined) checker.steps.set(name.text, line);
  else checker.report(catalogue.stepTwice(name.span, name.text, first));
  checker.block(body);
}

/** Checks `log …`. */
const checkLog = (checker: Checker, { value }: Log): void => void checker.expression(value);

/** Checks `complete with …` and collects its keys: the outputs of the workflow. */
function checkComplete(checker: Checker, { pairs, status, answer }: Complete): void {
  checkPairs(checker, pairs);
  for (const { key } of pairs) checker.facts.outputKeys.add(key.text);
  if (answer !== undefined) checker.expression(answer);
  if (status !== undefined && !isAnswerStatus(status.value)) checker.report(catalogue.answerStatus(status.span));
  if (status !== undefined || answer !== undefined)
    checker.facts.ownAnswers.push({ status: status?.value ?? 200, isText: answer !== undefined });
}

const isAnswerStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 299;

/** Checks `reject with …`. */
const checkReject = (checker: Checker, { message }: Reject): void => void checker.expression(message);

/** Handles a line that could not be parsed and is already reported: whatever it and its block may have set counts as set. */
function checkBroken(checker: Checker, { defines, nameless, names, body }: Broken): void {
  const { scope } = checker;
  for (const name of names) checker.usedServices.add(name);
  // It may have sent something, without saying how.
  if (names.some((name) => name === 'send' || name === 'email' || name === 'mail'))
    for (const [name, { kind }] of checker.services) if (kind === 'mail') checker.usedServices.add(name);
  // It may have looked up a table.
  for (const table of checker.tables.keys())
    if (table.split(' ').some((word) => names.includes(word))) checker.faultyTables.add(table);
  if (nameless) scope.isOpen = true;
  for (const name of defines) if (!reserved.has(name)) scope.set(name);
  // It may have been a loop that counts its rounds.
  const walk = (): void => scope.withLocal(ROUND, numberKind, () => checker.block(body));
  // Without the mistake, its block may always run, as that of a step does.
  scope.withFailure(() => scope.join([{ ...scope.branch(walk), ended: false }]));
}

type StatementChecks = {
  readonly [Kind in Statement['kind']]: (checker: Checker, statement: Extract<Statement, { kind: Kind }>) => void;
};

/** For a statement that is valid as soon as it parses. */
const nothing = (): void => {};

const checks: StatementChecks = {
  add: checkAdd,
  ask: checkAsk,
  'at the same time': checkAtTheSameTime,
  broken: checkBroken,
  call: checkCall,
  complete: checkComplete,
  'for each': checkForEach,
  'for each field': checkForEachField,
  if: checkIf,
  log: checkLog,
  'look up': checkLookUp,
  reject: checkReject,
  repeat: checkRepeat,
  set: checkSet,
  skip: nothing,
  step: checkStep,
  stop: nothing,
  wait: checkWait,
  'wait for': checkWaitFor,
  'wait until': checkWaitUntil,
};

export function checkBlock(checker: Checker, block: Block): void {
  let ender: Statement | undefined;
  let isReported = false;
  let previous: Statement | undefined;
  for (const statement of block) {
    if (previous !== undefined) checkAfterCall(checker, previous, statement);
    previous = statement;
    if (ender !== undefined && !isReported) {
      checker.report(catalogue.neverReached(statement.span, keywordOf(ender.kind)));
      isReported = true;
    }
    checker.reported.clear();
    const before = checker.errors;
    checkStatement(checker, statement);
    if (endOf(statement.kind) === undefined) continue;
    checker.scope.ended = true;
    // A line with a mistake may not be meant to end anything.
    if (checker.errors === before) ender ??= statement;
  }
}

function checkStatement<K extends Statement['kind']>(checker: Checker, statement: Extract<Statement, { kind: K }>): void {
  const check = checks[statement.kind] as (checker: Checker, statement: Extract<Statement, { kind: K }>) => void; // looked up by its own kind
  check(checker, statement);
}

/** A line right after a call that may have failed, which looks as if it was meant for its success. */
function checkAfterCall(checker: Checker, call: Statement, next: Statement): void {
  if ((call.kind !== 'call' && call.kind !== 'ask') || call.onSuccess !== undefined) return;
  const handler = call.onFailure?.body;
  if (handler === undefined || (next.kind !== 'add' && next.kind !== 'set') || leavesAlways(handler)) return;
  const alsoSet = assignedIn(handler);
  // Lines after the handler can use its variables.
  const isPrepared = [...referencesIn(next.value)].some(({ root }) => alsoSet.has(root));
  const isMeant = next.kind === 'add' ? !isPrepared : next.fields.length === 0 && alsoSet.has(next.target.text) && !isPrepared;
  if (!isMeant) return;
  const written = checker.text.slice(next.span.start, next.span.end);
  checker.report(catalogue.afterFailureToo(next.span, call.line, next.kind, written));
}

/** Whether every way through the block ends the run or the round. */
const leavesAlways = (block: Block): boolean =>
  block.some((statement) => {
    if (endOf(statement.kind) !== undefined) return true;
    const blocks = blocksOf(statement);
    const runs = blocksRun(statement);
    return runs === 'all' ? blocks.some(leavesAlways) : runs === 'one' && blocks.every(leavesAlways);
  });
