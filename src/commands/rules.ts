// `wf rules`: prints what a workflow decides, for people who review it without reading the file.
import { checkFile } from '../compiler/compile.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { Io } from '../engine/io.js';
import { readWorkflow } from '../engine/prepare/read-workflow.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { UsageError } from '../engine/usage-error.js';
import { rulesOf } from '../rules/rules.js';
import { rulesText } from '../rules/rules-text.js';
import type { Values } from './command-table.js';

/** @returns 0, or 1 if the workflow has errors. Warnings are for `wf check`. */
export function rulesCommand(file: string, values: Values, io: Io): number {
  if (!file.endsWith('.wf'))
    throw new UsageError(`${file} is not a workflow: its name must end in .wf.`, 'wf rules takes one file: wf rules order.wf');
  const checked = checkFile(readWorkflow(file, io.cwd), file, { files: workflowFiles(file, io.cwd) });
  if (checked.hasErrors) {
    io.stderr.write(`${renderText(checked.diagnostics, { colour: io.colour.stderr })}\n\n${summary(checked.diagnostics)}\n`);
    return 1;
  }
  const rules = rulesOf(checked, file);
  io.stdout.write(`${values.json === true ? JSON.stringify(rules) : rulesText(rules)}\n`);
  return 0;
}
