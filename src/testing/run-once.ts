// Runs a workflow without a case file once with mock services, and shows its outcome and calls.
import type { GivenMocks } from '../../runtime/services/given-mocks.js';
import type { ServiceExchange } from '../../runtime/types.js';
import { mockWarnings } from '../engine/files/mocks-file.js';
import { prepare } from '../engine/prepare/prepare.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { logLine, outcomeText } from '../engine/records/terminal-lines.js';
import { problemText } from '../input/problem-text.js';
import { acceptedInput, type Input } from '../input/read-input.js';
import { callLines } from './compare-outcome.js';
import type { TestCounts, TestSession } from './test-session.js';

export interface OnceOptions {
  /** `undefined`: nothing was given, so declared inputs are tried with generated requests. */
  readonly input: Input | undefined;
  /** Fresh for each run. */
  readonly mocks: (() => GivenMocks) | undefined;
  /** Print a single line, because this is one run among many. */
  readonly brief: boolean;
  /** A single run, because its log is to be saved. */
  readonly single: boolean;
}

const nothing: Input = { request: {}, warnings: [] };

export async function runOnce(session: TestSession, file: string, options: OnceOptions): Promise<TestCounts> {
  const { input = nothing, mocks, brief } = options;
  const { cwd, env, verbose, signal } = session;
  const preparation = await prepare(file, { cwd, env, trace: verbose });
  session.report(preparation.ok ? preparation.prepared.warnings : preparation.diagnostics);
  if (!preparation.ok) {
    if (brief) session.notRun(file);
    return { passed: 0, failed: 1 };
  }
  const { workflow } = preparation.prepared;
  if (workflow.inputs !== undefined && options.input === undefined)
    return (await import('./run-generated.js')).runGenerated(session, file, options);
  const { request, problems } = acceptedInput(workflow, input);
  if (problems.length > 0) {
    session.note(problemText(file, workflow, problems, input));
    if (brief) session.add({ file, name: 'not run: the input does not fit', status: 'failed', details: [] });
    return { passed: 0, failed: 1 };
  }
  const exchanges: ServiceExchange[] = [];
  const answers = mocks?.();
  const record = await session.engine.execute(preparation.prepared, request, {
    env,
    signal,
    ...(answers === undefined ? {} : { mock: answers }),
    onExchange: (exchange) => void exchanges.push(exchange),
    onLog(entry) {
      session.watch(entry);
      if (entry.type === 'log' && !brief) session.print(logLine(entry));
    },
  });
  const failed = record.outcome.status === 'error';
  if (brief)
    session.add(
      {
        file,
        name: `ran once, without cases: ${record.outcome.status}`,
        status: failed ? 'failed' : 'passed',
        details: [],
      },
      failed ? outcomeText(record, { colour: false }).split('\n') : [],
    );
  showOutcome(session, record, brief);
  if (!brief) showCalls(session, exchanges, record);
  const warnings = answers === undefined ? [] : mockWarnings(answers, preparation.prepared.workflow, record.redactor);
  for (const warning of warnings) session.warn(`Warning: ${warning}`);
  await session.save(record);
  return failed ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
}

function showOutcome(session: TestSession, record: RunRecord, brief: boolean): void {
  if (record.outcome.status === 'error') session.note(outcomeText(record, { colour: session.colour.stderr }));
  else if (!brief) session.print(outcomeText(record, { colour: session.colour.stdout }));
}

function showCalls(session: TestSession, exchanges: readonly ServiceExchange[], { redactor, prepared }: RunRecord): void {
  if (exchanges.length === 0) {
    if (prepared.workflow.services.length > 0) session.print('\nNo calls were made.');
    return;
  }
  session.print('\nCalls, all answered by mock services:');
  for (const exchange of exchanges) for (const line of callLines(exchange, redactor)) session.print(`    ${line}`);
}
