// Checks the statements of a block in the order in which they run; one function for each kind.

import type { Block, Broken, ForEach, If, Name, Pair, Statement, Step } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { assignedIn } from './assigned.js';
import { checkCall } from './calls.js';
import { type Checker, reserved } from './checker.js';
import { checkExpression } from './expressions.js';

type Checks = { readonly [Kind in Statement['kind']]: (checker: Checker, statement: Extract<Statement, { kind: Kind }>) => void };

const checks: Checks = {
  set(checker, { target, value }) {
    checkExpression(checker, value);
    setVariable(checker, target);
  },
  add(checker, { value, target }) {
    checkExpression(checker, value);
    setVariable(checker, target);
  },
  log: (checker, { value }) => checkExpression(checker, value),
  wait(checker, { duration }) {
    if (duration.amount < 0) checker.report(catalogue.negativeTime(duration.span));
  },
  skip(checker) {
    checker.scope.ended = true;
  },
  stop(checker) {
    checker.scope.ended = true;
  },
  complete(checker, { pairs }) {
    checkPairs(checker, pairs);
    for (const { key } of pairs) checker.facts.outputKeys.add(key.text);
    checker.scope.ended = true;
  },
  reject(checker, { message }) {
    checkExpression(checker, message);
    checker.scope.ended = true;
  },
  step: checkStep,
  if: checkIf,
  'for each': checkForEach,
  call: checkCall,
  ask: checkCall,
  broken: checkBroken,
};

const ends: ReadonlySet<Statement['kind']> = new Set(['complete', 'reject', 'skip', 'stop']);

export function checkBlock(checker: Checker, block: Block): void {
  let ender: Statement | undefined;
  let told = false;
  for (const statement of block) {
    if (ender !== undefined && !told) {
      checker.report(catalogue.neverReached(statement.span, ender.kind === 'stop' ? 'stop the loop' : ender.kind));
      told = true;
    }
    checker.reported.clear();
    checkStatement(checker, statement);
    if (ends.has(statement.kind)) ender ??= statement;
  }
}

function checkStatement<K extends Statement['kind']>(checker: Checker, statement: Extract<Statement, { kind: K }>): void {
  const check = checks[statement.kind] as (checker: Checker, statement: Extract<Statement, { kind: K }>) => void; // looked up by its own kind
  check(checker, statement);
}

/** A statement sets `name`: what wf gives cannot be set. */
export function setVariable(checker: Checker, name: Name): void {
  if (reserved.has(name.text)) checker.report(catalogue.cannotSet(name.span, name.text));
  else checker.scope.set(name.text);
}

/** The pairs of a call or of `complete with`; a key can stand once. */
export function checkPairs(checker: Checker, pairs: readonly Pair[]): void {
  const keys = new Set<string>();
  for (const { key, value } of pairs) {
    if (keys.has(key.text)) checker.report(catalogue.keyTwice(key.span, key.text));
    keys.add(key.text);
    checkExpression(checker, value);
  }
}

function checkStep(checker: Checker, { name, body, line }: Step): void {
  const first = checker.steps.get(name.text);
  if (first === undefined) checker.steps.set(name.text, line);
  else checker.report(catalogue.stepTwice(name.span, name.text, first));
  checkBlock(checker, body);
}

function checkIf(checker: Checker, { branches, otherwise }: If): void {
  const effects = branches.map((branch) => {
    checker.reported.clear();
    checkExpression(checker, branch.condition);
    return checker.scope.branch(() => checkBlock(checker, branch.body));
  });
  effects.push(checker.scope.branch(() => otherwise !== undefined && checkBlock(checker, otherwise.body)));
  checker.scope.join(effects);
}

function checkForEach(checker: Checker, loop: ForEach): void {
  const { item, list, body } = loop;
  checkExpression(checker, list);
  checker.facts.carried.set(
    loop,
    [...assignedIn(body)].filter(
      (name) => name !== item.text && !checker.scope.isItem(name) && checker.scope.look(name) === 'set',
    ),
  );
  checkLoop(checker, item, body);
}

function checkLoop(checker: Checker, item: Name, body: Block): void {
  const { scope } = checker;
  if (reserved.has(item.text)) checker.report(catalogue.cannotSet(item.span, item.text));
  else if (scope.look(item.text) !== undefined) checker.report(catalogue.hiddenVariable(item.span, item.text));
  const assigned = assignedIn(body);
  assigned.delete(item.text);
  for (const name of assigned) scope.mayBeSet(name);
  // The block may not run at all, so what it sets stays uncertain after it.
  scope.branch(() => scope.withItem(item.text, () => checkBlock(checker, body)));
}

/** The line itself is reported; what it may have set counts as set, and its block is checked like any other. */
function checkBroken(checker: Checker, { defines, nameless, names, body }: Broken): void {
  const { scope } = checker;
  for (const name of names) checker.usedServices.add(name);
  if (nameless) scope.isOpen = true;
  for (const name of defines) if (!reserved.has(name)) scope.set(name);
  scope.withFailure(() => scope.join([scope.branch(() => checkBlock(checker, body)), { changes: new Map(), ended: false }]));
}
