// `wf test`: runs the cases of workflows, or each workflow once with mock services. With `--dry-run`, prints plans instead.
import path from 'node:path';
import type { Io } from '../engine/io.js';
import { findWorkflows } from '../engine/prepare/find-workflows.js';
import { UsageError } from '../engine/usage-error.js';
import { showPlans } from '../testing/plan/plan.js';
import { runTests, testFormats } from '../testing/run-tests.js';
import type { Values } from './command-spec.js';
import { readFormat } from './named-sources.js';

export async function testCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const files = [...new Set(targets.flatMap((target) => findWorkflows(target, io.cwd)).map((file) => path.normalize(file)))];
  for (const file of files) refuseOther(file);
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const format = readFormat(testFormats, values.format);
  if (format !== 'text' && (values.dryRun === true || values.generate === true))
    throw new UsageError(
      `--format ${format} is for results of tests, and --${values.dryRun === true ? 'dry-run' : 'generate'} has none.`,
    );
  if (values.dryRun === true) {
    if (values.outputLog !== undefined) throw new UsageError('--dry-run runs nothing, so --output-log has no log to write.');
    if (values.case !== undefined) throw new UsageError('--dry-run runs nothing, so --case has no case to choose.');
    return showPlans(files, io);
  }
  const options = {
    input: text('input'),
    inputFile: text('inputFile'),
    sheet: text('sheet'),
    asText: text('asText'),
    mocks: text('mocks'),
    outputLog: text('outputLog'),
    only: text('case'),
    coverage: coverageOf(values.coverage),
    format,
    generate: values.generate === true,
  };
  return runTests(targets, files, { ...options, verbose: values.verbose === true, strict: values.strict === true }, io);
}

/** `--coverage 90`. */
function coverageOf(value: string | true | undefined): number | undefined {
  if (value === undefined) return undefined;
  const percent = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw new UsageError(`--coverage must be a number from 0 to 100, not "${String(value)}".`);
}

function refuseOther(file: string): void {
  if (file.endsWith('.wf')) return;
  const hint = file.endsWith('.test.json')
    ? `To run these cases, test their workflow: wf test ${file.replace(/\.test\.json$/, '.wf')}`
    : undefined;
  throw new UsageError(`wf can't test ${file}: the name of a workflow must end in .wf.`, hint);
}
