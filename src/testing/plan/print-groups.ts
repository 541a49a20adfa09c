// Statements with a block in a plan: steps, conditions in the words of the file, and loops.
import type { ForEach, If, Step } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';
import { printBlock } from './print-block.js';

export function printStep(plan: PlanWriter, { name, body }: Step): void {
  plan.line(`step ${name.text}`);
  plan.indented(() => printBlock(plan, body));
}

export function printIf(plan: PlanWriter, { branches, otherwise }: If): void {
  branches.forEach(({ condition, body }, index) => {
    plan.line(`${index === 0 ? 'if' : 'otherwise if'} ${plan.source(condition.span)}`);
    plan.indented(() => printBlock(plan, body));
  });
  if (otherwise === undefined) return;
  plan.line('otherwise');
  plan.indented(() => printBlock(plan, otherwise.body));
}

export function printForEach(plan: PlanWriter, { item, list, body }: ForEach): void {
  plan.line(`for each ${item.text} in ${plan.source(list.span)}`);
  plan.indented(() => printBlock(plan, body));
}
