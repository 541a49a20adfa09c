// A workflow without a case file: it is run once with mock services; how it ended and the calls that it made are shown.
import { oneLine } from '../../runtime/one-line.js';
import type { GivenMocks } from '../../runtime/services/given-mocks.js';
import type { Exchange, WfRecord } from '../../runtime/types.js';
import { logLine } from '../engine/log-lines.js';
import { outcomeText } from '../engine/outcome-text.js';
import { prepare } from '../engine/prepare.js';
import type { RunRecord } from '../engine/run-record.js';
import { callLines } from './made-call.js';
import type { Tally, TestSession } from './test-session.js';

export interface OnceOptions {
  readonly request: WfRecord;
  /** Fresh for each run. */
  readonly mocks: (() => GivenMocks) | undefined;
  /** One line instead of all that there is to say: for a run among many. */
  readonly brief: boolean;
}

export async function runOnce(session: TestSession, file: string, { request, mocks, brief }: OnceOptions): Promise<Tally> {
  const { cwd, env, verbose, signal } = session;
  const preparation = await prepare(file, { cwd, env, trace: verbose });
  session.report(preparation.ok ? preparation.prepared.warnings : preparation.diagnostics);
  if (!preparation.ok) {
    if (brief) session.notRun();
    return { passed: 0, failed: 1 };
  }
  const exchanges: Exchange[] = [];
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
    session.print(
      `${failed ? session.paint('✗', 'red') : session.paint('✓', 'green')} ran once, without cases: ${record.outcome.status}`,
    );
  showOutcome(session, record, brief);
  if (!brief) showCalls(session, exchanges, record);
  for (const complaint of answers?.complaints() ?? []) session.tell(oneLine(`Warning: ${record.redactor.text(complaint)}`));
  await session.save(record);
  return failed ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
}

function showOutcome(session: TestSession, record: RunRecord, brief: boolean): void {
  if (record.outcome.status === 'error') session.tell(outcomeText(record, { colour: session.colour.stderr }));
  else if (!brief) session.print(outcomeText(record, { colour: session.colour.stdout }));
}

function showCalls(session: TestSession, exchanges: readonly Exchange[], { redactor, prepared }: RunRecord): void {
  if (exchanges.length === 0) {
    if (prepared.workflow.services.length > 0) session.print('\nNo calls were made.');
    return;
  }
  session.print('\nCalls, all answered by mock services:');
  for (const exchange of exchanges) for (const line of callLines(exchange, redactor)) session.print(`    ${line}`);
}
