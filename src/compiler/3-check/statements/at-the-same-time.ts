// Checks `at the same time:`. The order of branches is undefined, so no branch may depend on what another one sets.

import type { AtTheSameTime } from '../../2-parse/tree.js';
import { assignedIn, assignmentIn, outerReferencesIn } from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';

export function checkAtTheSameTime(checker: Checker, { body, span }: AtTheSameTime): void {
  const { scope } = checker;
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
    const { changes, ended } = scope.branch(() => {
      // It has been reported and must not count as unknown as well.
      for (const name of foreign) scope.set(name);
      checker.block([statement]);
    });
    return { changes: new Map([...changes].filter(([name]) => !foreign.has(name))), ended };
  });
  scope.together(effects);
}
