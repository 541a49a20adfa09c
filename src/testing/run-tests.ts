// The workflows of one `wf test`, one after the other → the exit code. Every case file is read before anything runs.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Io } from '../commands/io.js';
import { counted } from '../compiler/diagnostics/summary.js';
import { prepareLogFile } from '../engine/log-file.js';
import { readMocks } from '../engine/mocks-file.js';
import { UsageError } from '../engine/usage-error.js';
import { readInput } from '../input/read-input.js';
import { chooseCases, type Planned } from './choose-cases.js';
import { readCases } from './read-cases.js';
import { runCases } from './run-cases.js';
import { runOnce } from './run-once.js';
import { type Tally, TestSession } from './test-session.js';

export interface TestOptions {
  readonly input?: string | undefined;
  readonly inputFile?: string | undefined;
  readonly sheet?: string | undefined;
  readonly mocks?: string | undefined;
  readonly outputLog?: string | undefined;
  /** The name of a case, or a part of it: only such cases are run. */
  readonly only?: string | undefined;
  readonly verbose: boolean;
}

/**
 * Tests these workflows (behaviour.md 6).
 * @returns 0 where all went well; 1 where a case failed, a run without cases ended as error, or a workflow has errors
 * @throws UsageError before anything runs
 */
export async function runTests(files: readonly string[], options: TestOptions, io: Io): Promise<number> {
  const all = files.map((file): Planned => ({ file, cases: readCases(file, io.cwd) }));
  const plan = options.only === undefined ? all : chooseCases(all, options.only);
  refuseOptions(plan, options);
  const { request, warnings } = await readInput({
    input: options.input,
    inputFile: options.inputFile,
    sheet: options.sheet,
    cwd: io.cwd,
  });
  const { mocks } = options;
  if (mocks !== undefined) readMocks(mocks, io.cwd);
  const logFile = options.outputLog === undefined ? undefined : await prepareLogFile(options.outputLog, io.cwd);
  const session = new TestSession(io, { verbose: options.verbose, logFile });
  for (const warning of [...warnings, ...strayCaseFiles(files, io.cwd)]) session.tell(warning);

  const brief = files.length > 1;
  const coverage = options.only === undefined;
  const once = { request, mocks: mocks === undefined ? undefined : () => readMocks(mocks, io.cwd), brief };
  let total: Tally = { passed: 0, failed: 0 };
  for (const { file, cases } of plan) {
    if (brief) session.print(`${file}:`);
    const { passed, failed } =
      cases === undefined ? await runOnce(session, file, once) : await runCases(session, file, cases, { coverage });
    if (brief && cases === undefined) session.print('');
    total = { passed: total.passed + passed, failed: total.failed + failed };
    if (session.signal.aborted) break;
  }
  const isCounted = brief || plan.some(({ cases }) => cases !== undefined);
  if (session.signal.aborted) session.tell('Interrupted: the rest was not run.');
  else if (isCounted) session.print(`${totalText(total)}${brief ? `, in ${counted(plan.length, 'workflow')}` : ''}`);
  await session.close();
  return total.failed > 0 || session.signal.aborted ? 1 : 0;
}

const totalText = ({ passed, failed }: Tally): string =>
  failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`;

/** Options that say how one run goes cannot be used where there are cases, which say it themselves, or several runs. */
function refuseOptions(plan: readonly Planned[], options: TestOptions): void {
  const withCases = plan.find(({ cases }) => cases !== undefined);
  for (const [flag, value] of [
    ['--input', options.input],
    ['--input-file', options.inputFile],
    ['--mocks', options.mocks],
  ] as const) {
    if (value === undefined || withCases?.cases === undefined) continue;
    throw new UsageError(
      `${flag} can't be used with ${withCases.file}: the cases of ${withCases.cases.file} have input and mocks of their own.`,
      `"wf run ${withCases.file} --mock" runs it once, with ${flag}.`,
    );
  }
  const runs = plan.reduce((sum, { cases }) => sum + (cases?.cases.length ?? 1), 0);
  if (options.outputLog !== undefined && runs > 1) {
    throw new UsageError(
      `--output-log writes the log of one run, and these are ${runs}.`,
      'Give one workflow without cases or with one case, or choose one with --case.',
    );
  }
}

/** A case file whose workflow has another name would be forgotten in silence. */
function strayCaseFiles(files: readonly string[], cwd: string): string[] {
  const folders = files.length > 1 ? new Set(files.map((file) => path.dirname(file))) : [];
  return [...folders].flatMap((folder) =>
    readdirSync(path.resolve(cwd, folder))
      .filter(
        (name) => name.endsWith('.test.json') && !existsSync(path.resolve(cwd, folder, name.replace(/\.test\.json$/, '.wf'))),
      )
      .map(
        (name) =>
          `Warning: ${path.join(folder, name)} holds no cases for any workflow: there is no ${name.replace(/\.test\.json$/, '.wf')} beside it.`,
      ),
  );
}
