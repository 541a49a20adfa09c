// Tests a workflow without cases that declares its inputs: runs it with generated requests, and lists the lines that none of them reached.
import { outcomeText } from '../engine/records/outcome-text.js';
import { coverageLines } from './coverage.js';
import { generatedCases } from './generated-cases.js';
import { prepareWithCoverage } from './prepare-with-coverage.js';
import type { OnceOptions } from './run-once.js';
import type { TestCounts, TestSession } from './test-session.js';

/** `file` has passed the check. */
export async function runGenerated(
  session: TestSession,
  file: string,
  { mocks, brief, single }: Pick<OnceOptions, 'mocks' | 'brief' | 'single'>,
): Promise<TestCounts> {
  const preparation = await prepareWithCoverage(file, { cwd: session.cwd, trace: session.verbose });
  if (!preparation.ok) return { passed: 0, failed: 1 };
  const { prepared, reachable } = preparation;
  const { env, signal } = session;
  const all = generatedCases(prepared.workflow.inputs ?? []);
  const reached = new Set<number>();
  let passed = 0;
  let failed = 0;
  for (const { name, request } of single ? all.slice(0, 1) : all) {
    const answers = mocks?.();
    const record = await session.engine.execute(prepared, request, {
      env,
      signal,
      ...(answers === undefined ? {} : { mock: answers }),
      onReach: (index) => void reached.add(index),
      onLog: (entry) => session.watch(entry),
    });
    if (signal.aborted) return { passed, failed: failed + 1 };
    const { status } = record.outcome;
    const isWrong = status === 'error';
    session.print(`${isWrong ? session.paint('✗', 'red') : session.paint('✓', 'green')} generated: ${name}: ${status}`);
    if (isWrong) {
      session.print(`    with the request ${JSON.stringify(record.redactor.value(request))}`);
      session.note(outcomeText(record, { colour: session.colour.stderr }));
      failed++;
    } else passed++;
    await session.save(record);
  }
  if (!brief) for (const line of ['', ...coverageLines(reachable, reached, file)]) session.print(line);
  return { passed, failed };
}
