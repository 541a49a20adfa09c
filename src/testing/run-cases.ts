// Runs the cases of a workflow, prints a line for each, then lists what no case covered.
import type { LogEntry, Value } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { Engine } from '../engine/engine.js';
import { mockWarnings } from '../engine/files/mocks-file.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { logLine } from '../engine/records/terminal-lines.js';
import { compareOutcome, observedCall } from './compare-outcome.js';
import { coverageLines, prepareWithCoverage } from './coverage.js';
import type { CaseFile } from './read-cases.js';
import type { ObservedCall, TestCase } from './test-case.js';
import type { TestCounts, TestSession } from './test-session.js';

/** @param coverage whether to list what no case covered, which makes no sense for a selection of cases */
export async function runCases(
  session: TestSession,
  file: string,
  { file: caseFile, cases }: CaseFile,
  { coverage }: { readonly coverage: boolean },
): Promise<TestCounts> {
  const preparation = await prepareWithCoverage(file, { cwd: session.cwd, trace: session.verbose });
  session.report(preparation.ok ? preparation.prepared.warnings : preparation.diagnostics);
  if (!preparation.ok) {
    session.notRun(file);
    session.print('');
    return { passed: 0, failed: 1 };
  }
  const { prepared, reachable } = preparation;
  const reached = new Set<number>();
  let passed = 0;
  let failed = 0;
  for (const testCase of cases) {
    if (session.verbose) session.note(`case ${oneLine(testCase.name)}:`);
    const result = await runCase(session.engine, prepared, testCase, {
      signal: session.signal,
      onReach: (index) => void reached.add(index),
      onLog(entry) {
        session.watch(entry);
        if (session.verbose && entry.type === 'log') session.note(logLine(entry));
      },
    });
    if (session.signal.aborted) return { passed, failed: failed + 1 };
    show(session, result, { file, caseFile });
    await session.save(result.record);
    if (result.differences.length === 0) passed++;
    else failed++;
  }
  session.cover(file, reached.size, reachable.length);
  for (const line of coverage ? ['', ...coverageLines(reachable, reached, file), ''] : ['']) session.print(line);
  return { passed, failed };
}

function show(
  session: TestSession,
  { name, differences, warnings }: CaseResult,
  { file, caseFile }: { readonly file: string; readonly caseFile: string },
): void {
  session.add({ file, name, status: differences.length === 0 ? 'passed' : 'failed', details: differences });
  for (const warning of warnings) session.warn(`Warning in ${caseFile}, case ${JSON.stringify(name)}: ${warning}`);
}

interface CaseResult {
  readonly name: string;
  /** Empty if the case passed. */
  readonly differences: readonly string[];
  /** One sentence for each mock answer that no call used. */
  readonly warnings: readonly string[];
  readonly record: RunRecord;
}

interface CaseWatch {
  readonly onReach?: (index: number) => void;
  readonly onLog?: (entry: LogEntry) => void;
  readonly signal?: AbortSignal;
}

export async function runCase(
  engine: Engine,
  prepared: Prepared,
  { name, input, env, now, received, mocks, messages, expect }: TestCase,
  watch: CaseWatch = {},
): Promise<CaseResult> {
  const { onLog, ...others } = watch;
  const logs: string[] = [];
  const calls: ObservedCall[] = [];
  const answers = mocks();
  const awaited = new Set<Value>();
  const record = await engine.execute(prepared, input, {
    ...others,
    env,
    mock: { ...answers, messages },
    ...(now === undefined ? {} : { startedAt: now }),
    ...(received === undefined ? {} : { received: { ...received, at: (now ?? new Date()).toISOString() } }),
    onExchange: (exchange) => void calls.push(observedCall(exchange)),
    onLog(entry) {
      if (entry.type === 'message') awaited.add(entry.name);
      if (entry.type === 'log') logs.push(entry.message ?? '');
      onLog?.(entry);
    },
  });
  const { outcome, redactor } = record;
  const { problems } = outcome.error ?? {};
  return {
    name,
    differences:
      problems === undefined
        ? compareOutcome(expect, { outcome, logs, calls, redactor })
        : [
            'the input does not fit the inputs of the workflow, so nothing ran',
            ...problems.map(({ field, problem }) => redactor.text(`${field} ${problem}`)),
          ],
    warnings: [
      ...mockWarnings(answers, prepared.workflow, redactor),
      ...Object.keys(messages)
        .filter((message) => !awaited.has(message))
        .map((message) => redactor.text(`no line waited for the message "${message}".`)),
    ],
    record,
  };
}
