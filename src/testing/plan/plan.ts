// The plan of a checked workflow (`wf test --dry-run`): an indented tree in the order of the file. Runs nothing.
import type { Checked } from '../../compiler/compile.js';
import { alwaysEnds } from './always-ends.js';
import { PlanWriter } from './plan-writer.js';
import { printInputs } from './print-inputs.js';

/** The lines of the plan. `file` is the path for messages. Only for workflows without errors. */
export function dryRunLines({ text, workflow, facts }: Checked, file: string): string[] {
  const plan = new PlanWriter(text, facts.services);
  const { config, trigger, body } = workflow;
  const name = config?.name === undefined ? undefined : plan.textOf(config.name);
  plan.line(`${name ?? file.replace(/^.*[\\/]/, '').replace(/\.wf$/, '')} v${config?.version?.value ?? 1} (${file})`);
  plan.indented(() => {
    if (trigger !== '') plan.line(`trigger: ${trigger}`);
    if (facts.inputs !== undefined) printInputs(plan, facts.inputs);
    if (config?.timeout !== undefined) plan.line(`ends as error after ${plan.source(config.timeout.span)}`);
    if (facts.env.size > 0) plan.line(`reads from the environment: ${[...facts.env].sort().join(', ')}`);
    plan.block(body);
    if (!alwaysEnds(body)) plan.line('complete (the end of the file: no outputs)');
  });
  return plan.lines;
}
