// Reports each run of a server or a schedule at its end: writes its log (`--output-log`) and tells of failures (`--alert`).
import { redactorFor } from '../../../runtime/run/redaction.js';
import { toOutcome } from '../../../runtime/run/to-outcome.js';
import type { Environment } from '../../../runtime/types.js';
import type { DurableEngine, RunHere } from '../../durable/durable-engine.js';
import { type Alerts, createAlerts, type LateSchedule } from './alerts.js';
import { prepareLogFolder, saveLogInFolder } from './log-file.js';
import type { ReportedRun } from './run-record.js';

export interface RunReports {
  /** For a run that is in no store. Resolves when its log is written. */
  ended(record: ReportedRun): Promise<void>;
  /** For a run of a store. Its log is read from there. Never rejects. */
  left(left: RunHere, store: ReadStore): Promise<void>;
  /** For a schedule whose due times passed before anyone noticed. */
  late(schedule: LateSchedule): void;
  /** Sends the last alerts. */
  close(): Promise<void>;
}

interface RunReportsOptions {
  /** The folder for the logs; absent for none. */
  readonly outputLog: string | undefined;
  /** The webhook for alerts; absent for none. */
  readonly alert: string | undefined;
  readonly linkOf: (run: string) => string | undefined;
  /** Where people find a workflow; absent if there is no such page. */
  readonly linkOfWorkflow?: ((basename: string) => string | undefined) | undefined;
  readonly env: Environment;
  readonly cwd: string;
  readonly onProblem: (sentence: string) => void;
}

/** `undefined` if there is nothing to report. @throws UsageError if the folder can't be written */
export async function createRunReports({
  outputLog,
  alert,
  linkOf,
  linkOfWorkflow,
  env,
  cwd,
  onProblem,
}: RunReportsOptions): Promise<RunReports | undefined> {
  if (outputLog === undefined && alert === undefined) return undefined;
  const folder = outputLog === undefined ? undefined : await prepareLogFolder(outputLog, cwd);
  const alerts: Alerts | undefined =
    alert === undefined ? undefined : createAlerts({ url: alert, env, linkOf, linkOfWorkflow, onProblem });

  const ended = async (record: ReportedRun): Promise<void> => {
    alerts?.ended(record);
    if (folder === undefined || record.unfinished !== undefined) return;
    const saved = await saveLogInFolder(folder, record);
    if ('problem' in saved) onProblem(saved.problem);
  };
  return {
    ended,
    async left(left, store) {
      try {
        await ended(await recordOf(left, store, folder !== undefined));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        onProblem(`The end of run ${left.run} could not be reported: ${reason}`);
      }
    },
    late: (schedule) => alerts?.late(schedule),
    close: async () => alerts?.close(),
  };
}

/** The run as the store shows it: redacted. */
async function recordOf({ run, file, trigger, isStuck }: RunHere, store: ReadStore, hasLog: boolean): Promise<ReportedRun> {
  const detail = await store.get(run);
  if (detail === undefined) throw new Error('the store no longer has it');
  const { title: name, version, request, outputs, message, error, status, startedAt, finishedAt, durationMs } = detail;
  const log = hasLog && !isStuck ? [...(await store.log(run))] : [];
  return {
    runId: run,
    prepared: { workflow: { name, version, trigger }, file },
    mock: false,
    request,
    durationMs,
    outcome: toOutcome({
      status: status === 'completed' || status === 'rejected' ? status : 'error',
      outputs,
      message,
      error,
      log,
    }),
    ...(isStuck ? { unfinished: 'stuck' } : {}),
    startedAt: new Date(startedAt),
    finishedAt: new Date(finishedAt ?? Date.now()),
    redactor: redactorFor([]),
  };
}

type ReadStore = Pick<DurableEngine, 'get' | 'log'>;
