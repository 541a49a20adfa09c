// Reports the end of a stored run with the same log file and lines as for a run in memory.

import { redactorFor, secretsOf } from '../../runtime/run/redaction.js';
import type { Environment, Outcome, WfRecord } from '../../runtime/types.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import { saveLogInFolder } from '../engine/records/log-file.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { resultOf, type ScheduledRunOptions, showOutcome } from './scheduled-run.js';
import type { ScheduledResult } from './scheduler.js';

export interface ReportOutcomeOptions
  extends Pick<ScheduledRunOptions, 'prepared' | 'logFolder' | 'verbose' | 'out' | 'err' | 'colour'> {
  readonly store: Pick<DurableEngine, 'log' | 'state'>;
  readonly env: Environment;
}

/** Saves and shows the outcome if requested, and returns the line that reports it. */
export async function reportOutcome(
  options: ReportOutcomeOptions,
  run: string,
  request: WfRecord,
  outcome: Outcome,
): Promise<ScheduledResult> {
  const { store, prepared, env, logFolder, verbose, err } = options;
  const state = await store.state(run);
  const [startedAt, finishedAt] = [new Date(state?.startedAt ?? Date.now()), new Date(state?.finishedAt ?? Date.now())];
  const record: RunRecord = {
    ...{ runId: run, prepared, mock: false, request, startedAt, finishedAt },
    outcome: { ...outcome, log: logFolder === undefined ? [] : [...(await store.log(run))] },
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    redactor: redactorFor(secretsOf(prepared.workflow, env, [])),
  };
  if (logFolder !== undefined) {
    const saved = await saveLogInFolder(logFolder, record);
    if ('problem' in saved) err(saved.problem);
  }
  if (verbose) showOutcome(record, options);
  return resultOf(record);
}
