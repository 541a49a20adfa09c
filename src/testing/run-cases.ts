// Runs the cases of a workflow, prints a line for each, then lists what no case covered.

import { oneLine } from '../../runtime/values/one-line.js';
import { logLine } from '../engine/records/log-lines.js';
import { coverageLines } from './coverage.js';
import { prepareWithCoverage } from './prepare-with-coverage.js';
import type { CaseFile } from './read-cases.js';
import { type CaseResult, runCase } from './run-case.js';
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
    session.notRun();
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
    show(session, result, caseFile);
    await session.save(result.record);
    if (result.differences.length === 0) passed++;
    else failed++;
  }
  for (const line of coverage ? ['', ...coverageLines(reachable, reached, file), ''] : ['']) session.print(line);
  return { passed, failed };
}

function show(session: TestSession, { name, differences, warnings }: CaseResult, caseFile: string): void {
  const hasPassed = differences.length === 0;
  session.print(`${hasPassed ? session.paint('✓', 'green') : session.paint('✗', 'red')} ${oneLine(name)}`);
  for (const line of differences) session.print(`    ${line}`);
  for (const warning of warnings) session.warn(`Warning in ${caseFile}, case ${JSON.stringify(name)}: ${warning}`);
}
