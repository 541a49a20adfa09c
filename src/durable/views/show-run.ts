// Converts stored runs to what callers and operators see: names of states, times as text, secrets redacted.
import { redactorFor } from '../../../runtime/run/redaction.js';
import { secretsOf } from '../../../runtime/run/secrets.js';
import type { Environment, OwnAnswer, Redactor, Value, WfRecord } from '../../../runtime/types.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import { createdAt, toRunId } from '../model/run-ids.js';
import { type StoredState, storedStates } from '../model/run-rows.js';
import type { DurableStatus, RunDetail, RunQuery, RunState, RunSummary, WaitingFor } from '../model/run-views.js';
import { readExtra, readOutcome, readRequest, type StoredOutcome } from '../model/stored-run.js';
import type { VersionInfo } from '../model/versions.js';
import type { ShownRun } from './called-runs.js';
import { reasonOf } from './failed-runs.js';

const statuses: ReadonlyMap<StoredState, DurableStatus> = new Map([
  [storedStates.running, 'running'],
  [storedStates.released, 'running'],
  [storedStates.waiting, 'waiting'],
  [storedStates.stuck, 'stuck'],
  [storedStates.completed, 'completed'],
  [storedStates.rejected, 'rejected'],
  [storedStates.error, 'error'],
  [storedStates.cancelled, 'cancelled'],
]);

export const toStatus = (state: StoredState): DurableStatus => statuses.get(state) ?? 'running';

/** The stored states shown as this one. */
export const storedAs = (status: DurableStatus): StoredState[] =>
  [...statuses].flatMap(([state, shown]) => (shown === status ? [state] : []));

/** Maximum characters of the summary. */
const LONGEST_ABOUT = 80;
/** Fields of the request for the summary. */
const MOST_FIELDS = 3;

export interface RunShowing {
  readonly env: Environment;
  readonly secrets: readonly string[];
}

let lastInfo: { readonly text: string; readonly info: VersionInfo } | undefined;

/** The runs of a page are often of one version. */
function infoOf({ info: text }: ShownRun): VersionInfo {
  if (lastInfo?.text !== text) lastInfo = { text, info: JSON.parse(text) as VersionInfo }; // written with the version
  return lastInfo.info;
}

const DAMAGED = 'The record of this run is damaged, so it cannot be read. Restore the store from a backup.';

/** When it began, in milliseconds since 1970. */
export const startOf = ({ row, called }: ShownRun): number => called?.createdAt ?? createdAt(row.id);

export function toRunState(found: ShownRun): RunState {
  const { row, workflow } = found;
  const created = startOf(found);
  const { outputs, answer, message, error }: StoredOutcome =
    row.isDamaged === true ? { message: DAMAGED } : readOutcome(row.outcome);
  const extra = readExtra(row.extra);
  const status = toStatus(row.state);
  const reported = status === 'stuck' && row.isDamaged !== true ? (extra.stuck ?? stuckByDeaths) : message;
  return {
    run: toRunId(row.id),
    ...(found.called === undefined ? {} : { parent: toRunId(found.called.parent) }),
    workflow,
    version: infoOf(found).version,
    status,
    createdAt: new Date(created).toISOString(),
    startedAt: new Date(created).toISOString(),
    ...(row.finished === null ? {} : { finishedAt: new Date(row.finished).toISOString() }),
    ...(row.waits === null || status !== 'waiting' ? {} : { waitingFor: JSON.parse(row.waits) as WaitingFor }), // written by a live run
    ...(outputs === undefined ? {} : { outputs }),
    ...(answer === undefined ? {} : { answer }),
    ...(reported === undefined ? {} : { message: reported }),
    ...(error === undefined ? {} : { error }),
    ...(extra.rerunOf === undefined ? {} : { rerunOf: toRunId(extra.rerunOf) }),
    ...(extra.erased === undefined ? {} : { erased: extra.erased }),
    ...(extra.scheduledFor === undefined ? {} : { scheduledFor: extra.scheduledFor }),
  };
}

const stuckByDeaths = 'The process ended ten times in a row while this run was executed. Resume it once the cause is found.';

const waitOf = ({ row }: ShownRun): Partial<WaitingFor> => (row.waits === null ? {} : (JSON.parse(row.waits) as WaitingFor)); // written by a live run

/** Runs that have waited long enough, in the order of a query. */
export function arrangedRuns(runs: readonly ShownRun[], { sort, waitingSince }: RunQuery): ShownRun[] {
  const now = Date.now();
  const waitsSince = (run: ShownRun): string => waitOf(run).since ?? new Date(startOf(run)).toISOString();
  const found = runs.filter((run) => waitingSince === undefined || waitsSince(run) <= waitingSince);
  const placeOf = (run: ShownRun): number => {
    if (sort === 'due') return Date.parse(waitOf(run).until ?? '') || Number.POSITIVE_INFINITY;
    if (sort === 'longest') return startOf(run) - (run.row.finished ?? now);
    return sort === 'oldest' ? startOf(run) : -startOf(run);
  };
  return found
    .map((run) => [placeOf(run), run] as const)
    .sort(([one, first], [other, second]) => (one === other ? (first.row.id < second.row.id ? -1 : 1) : one - other))
    .map(([, run]) => run);
}

export const redactorOf = (found: ShownRun, { env, secrets }: RunShowing): Redactor =>
  redactorFor(secretsOf(infoOf(found), env, secrets));

export function toRunSummary(found: ShownRun, showing: RunShowing): RunSummary {
  const { outputs: _, answer: __, error, message, ...state } = toRunState(found);
  const redactor = redactorOf(found, showing);
  const request = requestOf(found);
  const reason = reasonOf({ status: state.status, message, error, request, erased: state.erased });
  return {
    ...state,
    ...(message === undefined ? {} : { message: redactor.text(message) }),
    ...(reason === undefined ? {} : { reason: redactor.text(reason) }),
    about:
      state.erased === undefined
        ? found.row.isDamaged === true
          ? 'It cannot be read'
          : aboutOf(redactor.value(request))
        : 'Its data was erased',
    textHash: found.hash,
    durationMs: (found.row.finished ?? Date.now()) - startOf(found),
  };
}

/** Without its journal, which is read separately. */
export function toRunDetail(found: ShownRun, showing: RunShowing): Omit<RunDetail, 'effects' | 'reruns'> {
  const redactor = redactorOf(found, showing);
  const { outputs, answer, error } = toRunState(found);
  const { decisions } = readExtra(found.row.extra);
  // A redactor returns a record for a record.
  const shown = (value: WfRecord): WfRecord => redactor.value(value) as WfRecord;
  return {
    ...toRunSummary(found, showing),
    title: infoOf(found).title,
    ...(found.called === undefined ? {} : { root: toRunId(found.called.root) }),
    request: shown(requestOf(found)),
    ...(decisions === undefined ? {} : { decisions }),
    ...(outputs === undefined ? {} : { outputs: shown(outputs) }),
    ...(answer === undefined ? {} : { answer: shownAnswer(answer, redactor) }),
    ...(error === undefined ? {} : { error: { ...error, message: redactor.text(error.message) } }),
  };
}

const shownAnswer = ({ text, ...answer }: OwnAnswer, redactor: Redactor): OwnAnswer =>
  text === undefined ? answer : { ...answer, text: redactor.text(text) };

const requestOf = ({ row }: ShownRun): WfRecord => readRequest(row.request).request;

/** The first fields with text or a number. */
function aboutOf(request: Value): string {
  const values = Object.values(Object(request))
    .filter((value): value is string | number => typeof value === 'string' || typeof value === 'number')
    .slice(0, MOST_FIELDS);
  const text = values.join(' · ').replace(/\s+/g, ' ');
  return text.length > LONGEST_ABOUT ? `${text.slice(0, LONGEST_ABOUT - 1)}…` : text;
}

/** Says what a run waits for: `for a message called payment, until 2026-03-02 09:00:00 UTC`. */
export function waitingText({ kind, until, name, service, others = 0 }: WaitingFor): string {
  const what = {
    time: 'until its time has come',
    message: `for a message called ${name ?? ''}`,
    person: `for an answer from ${service ?? 'someone'}`,
    retry: `to call ${service ?? 'a service'} again`,
  }[kind];
  const first =
    until === undefined ? what : kind === 'time' ? `until ${momentInUtc(until)}` : `${what}, until ${momentInUtc(until)}`;
  return oneLine(others === 0 ? first : `${first}, and ${others} more`);
}

/** `2026-03-01T09:00:00.000Z` → `2026-03-01 09:00:00 UTC`. */
export const momentInUtc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
