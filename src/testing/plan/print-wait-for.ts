// `wait for` in a plan: the message, what is saved from it, and what happens if none arrives.
import type { WaitFor } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';

export function printWaitFor(plan: PlanWriter, { message, pairs, atMost, save, silence }: WaitFor): void {
  plan.line(`wait for ${message.text}${atMost === undefined ? '' : `, at most ${plan.source(atMost.span)}`}`);
  plan.indented(() => {
    for (const { key, value } of pairs) plan.line(`with ${key.text}: ${plan.source(value.span)}`);
    if (save !== undefined) plan.line(`save the message as ${save.text}`);
    if (silence === undefined) return;
    plan.line('if nothing comes');
    plan.nested(silence.body);
  });
}
