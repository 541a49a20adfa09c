// `wf rules`: prints what a workflow decides, for people who review it without reading the file.
import { checkFile } from '../compiler/compile.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { Io } from '../engine/io.js';
import { readWorkflow } from '../engine/prepare/read-workflow.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { UsageError } from '../engine/usage-error.js';
import { rulesOf } from '../rules/rules.js';
import { rulesText } from '../rules/rules-text.js';
import { waysCsv, waysMarkdown, waysOf, waysText } from '../rules/ways.js';
import type { Values } from './command-table.js';

const FORMATS = ['text', 'markdown', 'csv', 'json'];

/** @returns 0, or 1 if the workflow has errors. Warnings are for `wf check`. */
export function rulesCommand(file: string, values: Values, io: Io): number {
  if (!file.endsWith('.wf'))
    throw new UsageError(`${file} is not a workflow: its name must end in .wf.`, 'wf rules takes one file: wf rules order.wf');
  const format = values.json === true ? 'json' : (values.format ?? 'text');
  if (typeof format !== 'string' || !FORMATS.includes(format))
    throw new UsageError(`--format must be one of ${FORMATS.join(', ')}, not "${String(format)}".`);
  const checked = checkFile(readWorkflow(file, io.cwd), file, { files: workflowFiles(file, io.cwd) });
  if (checked.hasErrors) {
    io.stderr.write(`${renderText(checked.diagnostics, { colour: io.colour.stderr })}\n\n${summary(checked.diagnostics)}\n`);
    return 1;
  }
  const rules = rulesOf(checked, file);
  const ways = waysOf(checked);
  const written = {
    text: () => [rulesText(rules), '', 'Ways', ...waysText(ways).map((line) => `    ${line}`)].join('\n'),
    markdown: () => waysMarkdown(ways),
    csv: () => waysCsv(ways),
    json: () => JSON.stringify({ ...rules, ways }),
  }[format as 'text' | 'markdown' | 'csv' | 'json']; // checked above
  io.stdout.write(`${written()}\n`);
  return 0;
}
