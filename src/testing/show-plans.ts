// `wf test --dry-run`: each workflow is checked and its plan printed; nothing is run, compiled or called.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Io } from '../commands/io.js';
import { checkFile } from '../compiler/compile.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { summary } from '../compiler/diagnostics/summary.js';
import { planLines } from './plan/plan.js';

/** @returns 0, or 1 where a workflow has errors: then there is no plan of it */
export function showPlans(files: readonly string[], io: Io): number {
  const found: LocatedDiagnostic[] = [];
  const plans: string[] = [];
  let hasErrors = false;
  for (const file of files) {
    const checked = checkFile(readFileSync(path.resolve(io.cwd, file)), file);
    found.push(...checked.diagnostics);
    hasErrors ||= checked.hasErrors;
    if (!checked.hasErrors) plans.push(`${planLines(checked, file).join('\n')}\n`);
  }
  io.stdout.write(plans.join('\n'));
  if (found.length > 0) io.stderr.write(`${renderText(found, { colour: io.colour.stderr })}\n\n${summary(found)}\n`);
  return hasErrors ? 1 : 0;
}
