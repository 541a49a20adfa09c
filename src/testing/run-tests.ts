// Tests the workflows of one `wf test` in turn and returns the exit code. Reads every case file before anything runs. Renders the results
// for programs as JUnit XML, JSON, and TAP version 14.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../runtime/texts/words.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import { readMocks } from '../engine/files/mocks-file.js';
import type { Io } from '../engine/io.js';
import { filesIn } from '../engine/prepare/find-workflows.js';
import { prepareLogFile } from '../engine/records/log-file.js';
import { UsageError } from '../engine/usage-error.js';
import { readInput } from '../input/read-input.js';
import { runCases } from './compare-outcome.js';
import { type CaseFile, caseFileOf, readCases } from './read-cases.js';
import { runOnce } from './run-once.js';
import { type TestCounts, type TestResult, TestSession } from './test-session.js';

interface TestOptions {
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
  /** The format of the results. */
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

const ENDING = '.test.json';

/**
 * Finds case files without a workflow, whose cases would never run.
 * Looks in each tested folder, and next to each tested file that has no cases, because they may be there under a different
 * name.
 */
function strayCaseFiles(targets: readonly string[], cwd: string): string[] {
  const strays = targets.flatMap((target) => {
    if (isFolder(target, cwd)) return filesIn(target, cwd, ENDING).filter((file) => !hasWorkflow(file, cwd));
    if (existsSync(path.resolve(cwd, caseFileOf(target)))) return [];
    const folder = path.dirname(target);
    return filesIn(folder, cwd, ENDING, { deep: false }).filter((file) => !hasWorkflow(file, cwd));
  });
  return [...new Set(strays.map((file) => path.normalize(file)))].map((file) => sentence(file, cwd));
}

function sentence(file: string, cwd: string): string {
  const folder = path.dirname(file);
  const without = filesIn(folder, cwd, '.wf', { deep: false })
    .filter((workflow) => !existsSync(path.resolve(cwd, caseFileOf(workflow))))
    .map((workflow) => path.basename(workflow));
  const wanted = path.basename(workflowOf(file));
  const near = closest(wanted, without);
  return `${file} belongs to no workflow: there is no ${wanted} next to it.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

const workflowOf = (caseFile: string): string => `${caseFile.slice(0, -ENDING.length)}.wf`;
const hasWorkflow = (caseFile: string, cwd: string): boolean => existsSync(path.resolve(cwd, workflowOf(caseFile)));
const isFolder = (target: string, cwd: string): boolean =>
  statSync(path.resolve(cwd, target), { throwIfNoEntry: false })?.isDirectory() === true;

interface Planned {
  readonly file: string;
  readonly cases: CaseFile | undefined;
}

/** Maximum number of names in a message. */
const mostListed = 10;

/**
 * `--case <name>`: selects the cases to run.
 * Returns the cases with exactly this name or, if there are none, those whose names contain it, ignoring case. Leaves out
 * workflows without such cases.
 * @throws UsageError if no case matches
 */
function chooseCases(plan: readonly Planned[], wanted: string): Planned[] {
  if (wanted.trim() === '') throw new UsageError('--case needs the name of a case, or part of it.');
  const part = wanted.toLowerCase();
  for (const fits of [(name: string) => name === wanted, (name: string) => name.toLowerCase().includes(part)]) {
    const chosen = plan.flatMap(({ file, cases: all }) => {
      const cases = all?.cases.filter(({ name }) => fits(name)) ?? [];
      return all === undefined || cases.length === 0 ? [] : [{ file, cases: { ...all, cases } }];
    });
    if (chosen.length > 0) return chosen;
  }
  throw noSuchCase(plan, wanted);
}

function noSuchCase(plan: readonly Planned[], wanted: string): UsageError {
  const names = plan.flatMap(({ cases }) => cases?.cases.map(({ name }) => name) ?? []);
  const [only] = plan;
  const where =
    plan.length === 1 && only !== undefined ? (only.cases?.file ?? `${only.file.replace(/\.wf$/, '')}.test.json`) : undefined;
  if (names.length === 0) {
    return new UsageError(
      `--case has no cases to choose from: ${where === undefined ? 'these workflows have none' : `there is no ${where}`}.`,
    );
  }
  const near = closest(wanted, names);
  const more = names.length > mostListed ? `, and ${counted(names.length - mostListed, 'more case')}` : '';
  const list = names.slice(0, mostListed).map((name) => JSON.stringify(name));
  return new UsageError(
    `No case${where === undefined ? '' : ` in ${where}`} has ${JSON.stringify(wanted)} in its name.`,
    near === undefined ? `The cases are ${list.join(', ')}${more}.` : `Did you mean ${JSON.stringify(near)}?`,
  );
}

const renderers = { junit: renderJunit, json: renderJson, tap: renderTap };

/** A format of `wf test --format`. */
export const testFormats = ['text', 'junit', 'json', 'tap'] as const;
type TestFormat = (typeof testFormats)[number];

/** Ends with a line break. */
function renderResults(results: readonly TestResult[], format: Exclude<TestFormat, 'text'>): string {
  return `${renderers[format](results)}\n`;
}

const failedOf = (results: readonly TestResult[]): TestResult[] => results.filter(({ status }) => status === 'failed');

/** One suite for each workflow. */
function renderJunit(results: readonly TestResult[]): string {
  const suites = [...new Set(results.map(({ file }) => file))].map((file) => {
    const own = results.filter((result) => result.file === file);
    return [`  <testsuite name="${escapeXml(file)}" ${counts(own)}>`, ...own.map(testcase), '  </testsuite>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="wf test" ${counts(results)}>`,
    ...suites,
    '</testsuites>',
  ].join('\n');
}

const counts = (results: readonly TestResult[]): string =>
  `tests="${results.length}" failures="${failedOf(results).length}" errors="0"`;

function testcase({ file, name, status, details }: TestResult): string {
  const head = `    <testcase classname="${escapeXml(file)}" name="${escapeXml(oneLine(name))}"`;
  if (status === 'passed') return `${head}/>`;
  const message = escapeXml(details[0] ?? 'failed');
  return `${head}>\n      <failure message="${message}">${escapeXml(details.join('\n'))}</failure>\n    </testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** XML has no way to write most control characters, and no lone surrogates, so they become U+FFFD. */
function escapeXml(text: string): string {
  const allowed = [...text].map((character) =>
    /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(character) ? '\ufffd' : character,
  );
  return allowed.join('').replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function renderJson(results: readonly TestResult[]): string {
  const failed = failedOf(results).length;
  return JSON.stringify({ passed: results.length - failed, failed, tests: results }, null, 2);
}

function renderTap(results: readonly TestResult[]): string {
  const lines = results.flatMap(({ file, name, status, details }, index) => [
    `${status === 'passed' ? 'ok' : 'not ok'} ${index + 1} - ${escapeTap(oneLine(`${file}: ${name}`))}`,
    ...(details.length === 0 ? [] : ['  ---', `  details: ${JSON.stringify(details)}`, '  ...']),
  ]);
  return ['TAP version 14', `1..${results.length}`, ...lines].join('\n');
}

/** `#` would begin a directive such as `# SKIP`. */
const escapeTap = (text: string): string => text.replace(/[\\#]/g, '\\$&');
