// Statements with blocks in a plan: steps, conditions and loops, in the words of the file.
import type { AtTheSameTime, If, Loop, Step } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';

export function printStep(plan: PlanWriter, { name, body }: Step): void {
  plan.line(`step ${name.text}`);
  plan.nested(body);
}

export function printAtTheSameTime(plan: PlanWriter, { body }: AtTheSameTime): void {
  plan.line('at the same time');
  plan.nested(body);
}

export function printIf(plan: PlanWriter, { branches, otherwise }: If): void {
  branches.forEach(({ condition, body }, index) => {
    plan.line(`${index === 0 ? 'if' : 'otherwise if'} ${plan.source(condition.span)}`);
    plan.nested(body);
  });
  if (otherwise === undefined) return;
  plan.line('otherwise');
  plan.nested(otherwise.body);
}

export function printLoop(plan: PlanWriter, { span, body }: Loop): void {
  plan.line(plan.source(span).slice(0, -1).trimEnd());
  plan.nested(body);
}
