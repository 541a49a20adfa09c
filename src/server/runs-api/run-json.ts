// Runs as JSON for clients. Callers see less than operators: neither the details of a wait nor the request.
import type { OutcomeParts } from '../../../runtime/run/to-outcome.js';
import type { LogEntry, RunStatus } from '../../../runtime/types.js';
import type { Sender } from '../../access/roles.js';
import type { RunDetail, RunState } from '../../durable/model/run-views.js';
import { outputsJson } from '../../durable/model/stored-run.js';

export const runLocation = (id: string): string => `/runs/${id}`;

/** HTTP status for the request that started a run which has ended or is stuck. */
export const statusOf = ({ status }: Pick<RunState, 'status'>): number => statuses[status];

const statuses = { completed: 200, rejected: 400, error: 500, cancelled: 500, stuck: 500, running: 202, waiting: 202 } as const;

/** The part of a run that its execution response shows. */
export type EndedRun = Omit<OutcomeParts, 'status'> & Pick<RunState, 'status'>;

/** The run as callers may read it: without the message of an error, which can contain values that are none of their business. */
const publicMessageOf = ({ message, error }: EndedRun): string | undefined => error?.publicMessage ?? message;

/** The execution response of a run that has ended or is stuck. The first request got the same text. */
export function outcomeJson(state: EndedRun, file: string): string {
  const { status, outputs, error } = state;
  if (status === 'completed') return `{"status":"completed","outputs":${outputsJson(outputs ?? {})}}`;
  const message = publicMessageOf(state) ?? '';
  const line = status === 'error' ? error?.line : undefined;
  return JSON.stringify({ status, message: line === undefined ? message : `${file}, line ${line}: ${message}` });
}

/** Whether a caller of named workflows may know of a run. */
export const isOfSender = ({ workflow }: Pick<RunState, 'workflow'>, { workflows }: Sender): boolean =>
  workflows?.includes(workflow) !== false;

/** `GET /runs/<id>` for a caller. */
export function callersView(whole: RunState): object {
  const { waitingFor, error, ...state } = whole;
  const message = publicMessageOf(whole);
  return {
    ...state,
    ...(message === undefined ? {} : { message }),
    ...(waitingFor === undefined ? {} : { waitingFor: only(waitingFor, ['kind', 'until']) }),
    ...(error?.line === undefined ? {} : { line: error.line }),
  };
}

/** The state as it is shown to those who are not its caller. */
export const redactedState = (state: RunState, { outputs, answer, message, error }: RunDetail): RunState => ({
  ...state,
  ...(state.outputs === undefined || outputs === undefined ? {} : { outputs }),
  ...(state.answer === undefined || answer === undefined ? {} : { answer }),
  ...(state.message === undefined || message === undefined ? {} : { message }),
  ...(state.error === undefined || error === undefined ? {} : { error }),
});

/** `GET /runs/<id>` for an operator. */
export const operatorsView = (
  { error, ...state }: RunState,
  { request, about, reason, rerunBy, madeGoodBy, textHash, durationMs, reruns, decisions, activity }: RunDetail,
  log: readonly LogEntry[],
): object => ({
  ...state,
  ...(error === undefined ? {} : { error: only(error, ['message', 'line', 'column', 'code']) }),
  about,
  ...(reason === undefined ? {} : { reason }),
  ...(rerunBy === undefined ? {} : { rerunBy }),
  ...(madeGoodBy === undefined ? {} : { madeGoodBy }),
  textHash,
  durationMs,
  ...(reruns.length === 0 ? {} : { reruns }),
  ...(decisions === undefined ? {} : { decisions }),
  ...(activity === undefined ? {} : { activity }),
  request,
  log,
});

function only<T extends object, K extends keyof T>(whole: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const part: Partial<Pick<T, K>> = {};
  for (const key of keys) if (whole[key] !== undefined) part[key] = whole[key];
  return part;
}

/** The outcomes that a workflow itself produces. */
export const isOutcome = (status: RunState['status']): status is RunStatus =>
  status === 'completed' || status === 'rejected' || status === 'error';
