// `wf test --dry-run`: checks each workflow and prints its plan, without running, compiling or calling anything.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkFile } from '../compiler/compile.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { Io } from '../engine/io.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { dryRunLines } from './plan/plan.js';

/** @returns 0, or 1 if a workflow has errors and therefore no plan */
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
