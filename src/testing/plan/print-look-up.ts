// `look up` in a plan: the table with its conditions, and what happens if no row matches.
import type { LookUp } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';

export function printLookUp(plan: PlanWriter, { results, table, pairs, nothing }: LookUp): void {
  plan.line(`look up ${results.map(({ text }) => text).join(' and ')} in ${table.text}`);
  plan.indented(() => {
    for (const { key, value } of pairs) plan.line(`with ${key.text}: ${plan.source(value.span)}`);
    if (nothing === undefined) return;
    plan.line('if nothing matches');
    plan.nested(nothing.body);
  });
}
