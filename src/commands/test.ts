// `wf test`: workflows in, the result of their cases, or of one run with mock services, out; with `--dry-run` their plans.
import path from 'node:path';
import { findWorkflows } from '../engine/find-workflows.js';
import { UsageError } from '../engine/usage-error.js';
import { runTests } from '../testing/run-tests.js';
import { showPlans } from '../testing/show-plans.js';
import type { Values } from './command-table.js';
import type { Io } from './io.js';

export async function testCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const files = [...new Set(targets.flatMap((target) => findWorkflows(target, io.cwd)).map((file) => path.normalize(file)))];
  for (const file of files) refuseOther(file);
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  if (values.dryRun === true) {
    if (values.outputLog !== undefined)
      throw new UsageError('--dry-run runs nothing, so there is no log for --output-log to write.');
    if (values.case !== undefined) throw new UsageError('--dry-run runs nothing, so there is no case for --case to choose.');
    return showPlans(files, io);
  }
  const options = {
    input: text('input'),
    inputFile: text('inputFile'),
    sheet: text('sheet'),
    mocks: text('mocks'),
    outputLog: text('outputLog'),
    only: text('case'),
  };
  return runTests(files, { ...options, verbose: values.verbose === true }, io);
}

function refuseOther(file: string): void {
  if (file.endsWith('.wf')) return;
  const hint = file.endsWith('.test.json')
    ? `The cases are run with their workflow: wf test ${file.replace(/\.test\.json$/, '.wf')}`
    : undefined;
  throw new UsageError(`${file} is no workflow that can be tested: its name must end in .wf.`, hint);
}
