// Runs one case and compares the outcome with its expectation. Each run has its own mock answers, environment and clock, so
// that runs can't affect each other.
import type { LogEntry, Value } from '../../runtime/types.js';
import type { Engine } from '../engine/engine.js';
import { mockWarnings } from '../engine/files/mock-warnings.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { compareOutcome } from './compare-outcome.js';
import { observedCall } from './observed-call.js';
import type { ObservedCall, TestCase } from './test-case.js';

export interface CaseResult {
  readonly name: string;
  /** Empty if the case passed. */
  readonly differences: readonly string[];
  /** One sentence for each mock answer that no call used. */
  readonly warnings: readonly string[];
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
  { name, input, env, now, mocks, messages, expect }: TestCase,
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
