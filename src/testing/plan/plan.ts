// The plan of a checked workflow (`wf test --dry-run`): an indented tree in the order of the file. Runs nothing.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FieldKind, InputField } from '../../../runtime/inputs/input-types.js';
import { kindWords } from '../../../runtime/inputs/input-words.js';
import { blocksOf, blocksRun } from '../../compiler/2-parse/children.js';
import type { Block, Statement } from '../../compiler/2-parse/tree.js';
import { type Checked, checkFile } from '../../compiler/compile.js';
import type { LocatedDiagnostic } from '../../compiler/diagnostics/diagnostic.js';
import { renderText, summary } from '../../compiler/diagnostics/render-text.js';
import { endOf } from '../../compiler/vocabulary/statement-table.js';
import type { Io } from '../../engine/io.js';
import { workflowFiles } from '../../engine/prepare/workflow-files.js';
import { PlanWriter } from './print-block.js';

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

const alwaysEnds = (block: Block): boolean => block.some(endsRun);

function endsRun(statement: Statement): boolean {
  if (endOf(statement.kind) === 'run') return true;
  const blocks = blocksOf(statement);
  switch (blocksRun(statement)) {
    case 'all':
      return blocks.some(alwaysEnds);
    case 'one':
      return blocks.every(alwaysEnds);
    case 'maybe':
      return false;
  }
}

export function printInputs(plan: PlanWriter, fields: readonly InputField[]): void {
  plan.line('takes');
  plan.indented(() => {
    for (const field of fields) printField(plan, field);
  });
}

function printField(plan: PlanWriter, { name, kind, optional, otherwise }: InputField): void {
  const missing = optional === true ? ', optional' : otherwise === undefined ? '' : `, otherwise ${JSON.stringify(otherwise)}`;
  plan.line(`${name}: ${kind.is === 'anything' ? kind.is : kindWords(kind, false)}${missing}`);
  const inside = fieldsOf(kind);
  plan.indented(() => {
    for (const field of inside) printField(plan, field);
  });
}

/** The fields of a record, or of the records in a list. */
const fieldsOf = (kind: FieldKind): readonly InputField[] =>
  kind.is === 'record' ? kind.fields : kind.is === 'list' ? fieldsOf(kind.of) : [];

/**
 * `wf test --dry-run`: checks each workflow and prints its plan, without running, compiling or calling anything.
 * @returns 0, or 1 if a workflow has errors and therefore no plan
 */
export function showPlans(files: readonly string[], io: Io): number {
  const found: LocatedDiagnostic[] = [];
  const plans: string[] = [];
  let hasErrors = false;
  for (const file of files) {
    const checked = checkFile(readFileSync(path.resolve(io.cwd, file)), file, { files: workflowFiles(file, io.cwd) });
    found.push(...checked.diagnostics);
    hasErrors ||= checked.hasErrors;
    if (!checked.hasErrors) plans.push(`${dryRunLines(checked, file).join('\n')}\n`);
  }
  io.stdout.write(plans.join('\n'));
  if (found.length > 0) io.stderr.write(`${renderText(found, { colour: io.colour.stderr })}\n\n${summary(found)}\n`);
  return hasErrors ? 1 : 0;
}
