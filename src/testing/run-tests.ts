// Tests the workflows of one `wf test` in turn and returns the exit code. Reads every case file before anything runs.
import { counted } from '../compiler/diagnostics/render-text.js';
import { readMocks } from '../engine/files/mocks-file.js';
import type { Io } from '../engine/io.js';
import { prepareLogFile } from '../engine/records/log-file.js';
import { UsageError } from '../engine/usage-error.js';
import { readInput } from '../input/read-input.js';
import { chooseCases, type Planned } from './choose-cases.js';
import { caseFileOf, readCases } from './read-cases.js';
import { runCases } from './run-cases.js';
import { runOnce } from './run-once.js';
import { strayCaseFiles } from './stray-case-files.js';
import { renderResults, type TestFormat } from './test-reports.js';
import { type TestCounts, TestSession } from './test-session.js';

export interface TestOptions {
  readonly input?: string | undefined;
  readonly inputFile?: string | undefined;
  readonly sheet?: string | undefined;
  readonly asText?: string | undefined;
  readonly mocks?: string | undefined;
  readonly outputLog?: string | undefined;
  /** Run only cases with this name, or with this in their names. */
  readonly only?: string | undefined;
  /** Fail if the tests of a workflow reach fewer of its lines and branches, in percent. */
  readonly coverage?: number | undefined;
  /** How to print the results. */
  readonly format: TestFormat;
  /** Write cases instead of running them. */
  readonly generate: boolean;
  readonly verbose: boolean;
  /** Treat warnings as failures. */
  readonly strict: boolean;
}

/**
 * Tests these workflows, found under the targets.
 * @returns 0 if all is well; 1 if a case failed, a run without cases ended as error, or a workflow has errors
 * @throws UsageError before anything runs
 */
export async function runTests(
  targets: readonly string[],
  files: readonly string[],
  options: TestOptions,
  io: Io,
): Promise<number> {
  if (options.generate) return generateAll(files, io);
  const all = files.map((file): Planned => ({ file, cases: readCases(file, io.cwd) }));
  const plan = options.only === undefined ? all : chooseCases(all, options.only);
  refuseOptions(plan, options);
  const input = await readInput({
    input: options.input,
    inputFile: options.inputFile,
    sheet: options.sheet,
    asText: options.asText,
    cwd: io.cwd,
  });
  const { mocks } = options;
  if (mocks !== undefined) readMocks(mocks, io.cwd);
  const logFile = options.outputLog === undefined ? undefined : await prepareLogFile(options.outputLog, io.cwd);
  const session = new TestSession(io, {
    verbose: options.verbose,
    logFile,
    coverage: options.coverage,
    silent: options.format !== 'text',
  });
  for (const warning of input.warnings) session.note(warning);
  for (const stray of strayCaseFiles(targets, io.cwd)) session.warn(`Warning: ${stray}`);

  // A program gets one result for each run, as for several workflows.
  const brief = files.length > 1 || options.format !== 'text';
  const coverage = options.only === undefined;
  const once = {
    input: options.input === undefined && options.inputFile === undefined ? undefined : input,
    mocks: mocks === undefined ? undefined : () => readMocks(mocks, io.cwd),
    brief,
    single: options.outputLog !== undefined,
  };
  let total: TestCounts = { passed: 0, failed: 0 };
  for (const { file, cases } of plan) {
    if (brief) session.print(`${file}:`);
    const { passed, failed } =
      cases === undefined ? await runOnce(session, file, once) : await runCases(session, file, cases, { coverage });
    if (brief && cases === undefined) session.print('');
    total = { passed: total.passed + passed, failed: total.failed + failed };
    if (!session.signal.aborted) continue;
    if (options.format !== 'text') session.add({ file, name: 'interrupted', status: 'failed', details: [] });
    break;
  }
  const isCounted = brief || total.passed + total.failed > 1 || plan.some(({ cases }) => cases !== undefined);
  if (session.signal.aborted) session.note('Interrupted. The remaining tests did not run.');
  else if (isCounted) session.print(`${totalText(total)}${brief ? `, in ${counted(plan.length, 'workflow')}` : ''}`);
  if (options.strict && session.warnings > 0)
    session.note(`--strict: ${counted(session.warnings, 'warning')} counted as failed.`);
  if (options.format !== 'text') io.stdout.write(renderResults(session.results, options.format));
  await session.close();
  return total.failed > 0 || session.isUncovered || session.signal.aborted || (options.strict && session.warnings > 0) ? 1 : 0;
}

/** `wf test --generate`. @returns 1 if a workflow has errors */
async function generateAll(files: readonly string[], io: Io): Promise<number> {
  const { generateCases } = await import('./generate-cases.js');
  const session = new TestSession(io, { verbose: false, logFile: undefined });
  let failed = false;
  for (const file of files) {
    const added = await generateCases(session, file);
    if (added === undefined) failed = true;
    else if (added === 0) session.print(`${caseFileOf(file)}: nothing new to add.`);
    else
      session.print(`${caseFileOf(file)}: ${counted(added, 'case')} added. Review them: they say what happens, not what should.`);
  }
  await session.close();
  return failed ? 1 : 0;
}

const totalText = ({ passed, failed }: TestCounts): string =>
  failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`;

/** Options that describe a single run don't work with cases, which describe their own, or with several runs. */
function refuseOptions(plan: readonly Planned[], options: TestOptions): void {
  const withCases = plan.find(({ cases }) => cases !== undefined);
  for (const [flag, value] of [
    ['--input', options.input],
    ['--input-file', options.inputFile],
    ['--mocks', options.mocks],
  ] as const) {
    if (value === undefined || withCases?.cases === undefined) continue;
    throw new UsageError(
      `You can't use ${flag} with ${withCases.file}: the cases in ${withCases.cases.file} define their own input and mocks.`,
      `To run it once with ${flag}, use "wf run ${withCases.file} --mock".`,
    );
  }
  const runs = plan.reduce((sum, { cases }) => sum + (cases?.cases.length ?? 1), 0);
  if (options.outputLog !== undefined && runs > 1) {
    throw new UsageError(
      `--output-log writes the log of a single run, but these are ${runs}.`,
      'Test one workflow with at most one case, or select a case with --case.',
    );
  }
}
