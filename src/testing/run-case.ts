// One case → how its run compares with what it expects. Each run has its own mock answers, environment and clock; none can see another.
import type { LogEntry } from '../../runtime/types.js';
import type { Engine } from '../engine/engine.js';
import type { Prepared } from '../engine/prepared.js';
import type { RunRecord } from '../engine/run-record.js';
import { compareOutcome } from './compare-outcome.js';
import { madeCall } from './made-call.js';
import type { MadeCall, TestCase } from './test-case.js';

export interface CaseResult {
  readonly name: string;
  /** Empty where the case has passed. */
  readonly differences: readonly string[];
  /** One sentence for each mock answer that no call asked for. */
  readonly complaints: readonly string[];
  readonly record: RunRecord;
}

export interface CaseWatch {
  readonly onReach?: (index: number) => void;
  readonly onLog?: (entry: LogEntry) => void;
  readonly signal?: AbortSignal;
}

export async function runCase(
  engine: Engine,
  prepared: Prepared,
  { name, input, env, now, mocks, expect }: TestCase,
  watch: CaseWatch = {},
): Promise<CaseResult> {
  const { onLog, ...others } = watch;
  const logs: string[] = [];
  const calls: MadeCall[] = [];
  const answers = mocks();
  const record = await engine.execute(prepared, input, {
    ...others,
    env,
    mock: answers,
    ...(now === undefined ? {} : { startedAt: now }),
    onExchange: (exchange) => void calls.push(madeCall(exchange)),
    onLog(entry) {
      if (entry.type === 'log') logs.push(entry.message ?? '');
      onLog?.(entry);
    },
  });
  const { outcome, redactor } = record;
  return {
    name,
    differences: compareOutcome(expect, { outcome, logs, calls, redactor }),
    complaints: answers.complaints().map((complaint) => redactor.text(complaint)),
    record,
  };
}
