// Checks `at the same time:`. The order of branches is undefined, so no branch may depend on what another one sets.
import type { AtTheSameTime, Block, Expression, Statement } from '../../2-parse/tree.js';
import { assignedIn, assignmentIn, outerReferencesIn, statementsIn } from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { endOf, keywordOf } from '../../vocabulary/statement-table.js';
import type { CheckedCallee, Checker } from '../checker.js';
import { aNumber, requireCount, requireKind } from '../kinds/require-kind.js';

/** Checks the number of branches or rounds that have to end: a whole number from 1. */
export function checkDoneCount(checker: Checker, until: Expression): void {
  const kind = checker.expression(until);
  if (!requireKind(checker, until, kind, 'until', aNumber)) requireCount(checker, until, kind, 'The number of branches', [1]);
}

export function checkAtTheSameTime(checker: Checker, { body, until, span }: AtTheSameTime): void {
  const { scope } = checker;
  if (until !== undefined) checkDoneCount(checker, until);
  if (body.length === 1) checker.report(catalogue.singleBranch(span));
  const setters = new Map<string, number>();
  const reported = new Set<string>();
  for (const [index, statement] of body.entries()) {
    for (const name of assignedIn([statement])) {
      const first = setters.get(name);
      if (first === undefined) setters.set(name, index);
      else if (!reported.has(name)) {
        reported.add(name);
        const [before, here] = [assignmentIn(body.slice(first, first + 1), name), assignmentIn([statement], name)];
        if (before !== undefined && here !== undefined) checker.report(catalogue.setByTwoBranches(here.span, name, before.line));
      }
    }
  }
  const effects = body.map((statement, index) => {
    const foreign = new Set<string>();
    for (const { root, span: place } of outerReferencesIn([statement])) {
      const setter = root === 'failure' && scope.inFailure ? undefined : setters.get(root);
      if (setter === undefined || setter === index || foreign.has(root) || reported.has(root)) continue;
      foreign.add(root);
      const there = assignmentIn(body.slice(setter, setter + 1), root);
      if (there !== undefined)
        checker.report(catalogue.ofAnotherBranch({ ...place, end: place.start + root.length }, root, there.line));
    }
    const { changes, ...effect } = scope.branch(() => {
      // It has been reported and must not count as unknown as well.
      for (const name of foreign) scope.set(name);
      checker.block([statement]);
    });
    return { changes: new Map([...changes].filter(([name]) => !foreign.has(name))), ...effect };
  });
  if (until === undefined || (until.kind === 'number' && until.value >= body.length)) scope.together(effects);
  // Variables that only an unfinished branch sets don't exist.
  else
    for (const effect of effects)
      scope.join([
        { ...effect, ended: false },
        { changes: new Map(), ended: false, facts: scope.facts },
      ]);
  checkEnds(checker, body);
}

/** A branch that ends the run, beside a call that must not be sent twice: the run ends, although it was sent. */
function checkEnds(checker: Checker, body: Block): void {
  const seen = new Set<CheckedCallee>();
  const payers = body.flatMap((statement, index) => {
    const call = [...statementsIn([statement])].find((one) => isSentOnce(one, checker.called, seen));
    return call === undefined ? [] : [{ index, line: call.line }];
  });
  if (payers.length === 0) return;
  for (const [index, statement] of body.entries()) {
    const end = [...statementsIn([statement])].find(({ kind }) => endOf(kind) === 'run');
    const paid = payers.find((payer) => payer.index !== index);
    if (end !== undefined && paid !== undefined)
      checker.report(catalogue.endsBesidePayment(end.span, keywordOf(end.kind), paid.line));
  }
}

/** A call `at most once`, or the call of a workflow that has one. @param seen workflows without such a call, as far as is known */
function isSentOnce(statement: Statement, called: Checker['called'], seen: Set<CheckedCallee>): boolean {
  if (statement.kind !== 'call' && statement.kind !== 'ask') return false;
  const callee = called.get(statement.service.text);
  if (statement.atMostOnce || callee === undefined || seen.has(callee)) return statement.atMostOnce;
  const { workflow, facts } = callee.checked;
  const isOnce = [...statementsIn(workflow.body)].some((one) => isSentOnce(one, facts.called, seen));
  if (!isOnce) seen.add(callee);
  return isOnce;
}
