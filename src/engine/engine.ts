// Runs workflows, for every front-end. An engine holds what the runs of a process share: environment, mock services, secrets,
// connections. A front-end creates one when it starts and closes it when it ends.
import type { RequestError } from '../../runtime/inputs/request-error.js';
import { milliseconds } from '../../runtime/run/clock.js';
import { suspensionOf } from '../../runtime/run/durable-run.js';
import { redactorFor, secretsOf } from '../../runtime/run/redaction.js';
import { type RunStop, runStops } from '../../runtime/services/call-errors.js';
import type { Connectors } from '../../runtime/services/connector-types.js';
import type { Environment, Mocks, Outcome, Redactor, RunDetails, RunOptions, Transport, WfRecord } from '../../runtime/types.js';
import { createConnectors } from '../connectors/connectors.js';
import { missingEnvironment, missingSentence } from './prepare/environment.js';
import type { Prepared } from './prepare/prepared.js';
import type { RunRecord } from './records/run-record.js';
import { type RunSpan, traceRun } from './tracing.js';
import { createTransport } from './transport/transport.js';

export interface EngineOptions {
  /** Variables that workflows see as `env`. */
  readonly env: Environment;
  /** Use mock services; `true` for the default answers. The `mock` option of a run takes precedence. */
  readonly mock?: boolean | Mocks;
  /** End a run as `error` before anything runs if environment variables that the workflow uses are missing. */
  readonly strictEnv?: boolean;
  /** Further text to keep out of logs: a server's token. */
  readonly secrets?: readonly string[];
  /** Replaces the engine's own connections. */
  readonly transport?: Transport;
}

/** An outcome, and what else its host needs. */
export interface RunResult extends RunDetails {
  readonly outcome: Outcome;
}

/** The part of a prepared workflow that a run needs. */
export type Runnable = Pick<Prepared, 'workflow' | 'run' | 'loadPlugin' | 'folder'>;

export interface Engine {
  /**
   * Runs a workflow, with nothing around it: for servers, which do this thousands of times per second. `request` must be plain
   * data, as the readers in this project return it. The options of the run take precedence over those of the engine. Never
   * rejects: whatever happens is an outcome.
   */
  run(prepared: Runnable, request: WfRecord, options?: RunOptions): Promise<RunResult>;
  /** Like `run`, plus everything that is reported about the run afterwards. */
  execute(prepared: Prepared, request: WfRecord, options?: RunOptions): Promise<RunRecord>;
  /** The record of a run that could not start, such as a scheduled run whose input can't be read or does not fit. */
  refuse(prepared: Prepared, reason: string | RequestError): RunRecord;
  /** Of all runs that are given no others. */
  readonly connectors: Connectors;
  /** Loads what calls need, so that the first one need not wait for it. */
  load(): Promise<void>;
  /** Closes the connections. All runs must have ended. */
  close(): Promise<void>;
}

export function createEngine({ env, mock = false, strictEnv = false, secrets = [], ...own }: EngineOptions): Engine {
  const connections = createTransport({ env });
  const connectors = createConnectors();
  const shared: Shared = { env, mock, secrets, transport: own.transport ?? connections.transport, connectors };
  // Keyed by workflow, so that a workflow replaced at run time is forgotten after its last run.
  const refusals = new WeakMap<Runnable, string | false>();

  /** The reason why this workflow can't run in this environment, or `false`. */
  const refusalOf = (prepared: Runnable): string | false => {
    const missing = missingEnvironment(prepared.workflow, env);
    const refusal = missing.length > 0 && missingSentence(missing);
    refusals.set(prepared, refusal);
    return refusal;
  };

  const redactorOf = ({ workflow }: Pick<Prepared, 'workflow'>): Redactor => redactorFor(secretsOf(workflow, env, secrets));

  const run: Engine['run'] = async (prepared, request, options = {}) => {
    const refusal = strictEnv && (refusals.get(prepared) ?? refusalOf(prepared));
    let details: RunDetails | undefined;
    const resultOf = (outcome: Outcome, cause = details?.cause): RunResult =>
      new Result(outcome, cause, () => details?.redactor ?? redactorOf(prepared));
    if (refusal) return resultOf(refused(refusal));
    const trace = (options.mock ?? mock) ? undefined : traceRun(prepared.workflow, options);
    try {
      const outcome = await prepared.run(
        request,
        optionsOfRun(options, shared, prepared, trace, (given) => {
          details = given;
          options.onEnd?.(given);
        }),
      );
      trace?.told(outcome);
      return resultOf(outcome);
    } catch (cause) {
      // The journal releases the run, which has not ended.
      if (options.durable !== undefined && suspensionOf(cause) !== undefined) throw cause;
      // Runs return errors as data, so this is a bug in wf. It must not take down a server or a schedule.
      return resultOf(failed(runStops.unexpected()), cause);
    } finally {
      trace?.end();
    }
  };

  return {
    run,
    async execute(prepared, request, options = {}) {
      const startedAt = options.startedAt ?? new Date();
      const start = milliseconds();
      const { outcome, cause, redactor } = await run(prepared, request, { ...options, startedAt });
      const durationMs = Math.round(milliseconds() - start);
      const about = { mock: Boolean(options.mock ?? mock), request, startedAt, durationMs };
      return toRecord({ prepared, outcome, cause, redactor, ...about });
    },
    refuse: (prepared, reason) =>
      toRecord({
        prepared,
        mock: Boolean(mock),
        request: {},
        outcome: typeof reason === 'string' ? refused(reason) : unfit(reason),
        redactor: redactorOf(prepared),
        startedAt: new Date(),
        durationMs: 0,
      }),
    connectors,
    load: () => (own.transport === undefined ? connections.load() : Promise.resolve()),
    close: async () => void (await Promise.all([connections.close(), connectors.close()])),
  };
}

export const toRecord = (of: Omit<RunRecord, 'runId' | 'finishedAt'>): RunRecord => ({
  runId: newRunId(),
  ...of,
  finishedAt: new Date(of.startedAt.getTime() + of.durationMs),
});

/** Shared by all runs of an engine. */
type Shared = Required<Pick<RunOptions, 'env' | 'mock' | 'secrets' | 'transport' | 'connectors'>>;

/** Names each option, because a spread or Object.assign would take longer than the rest of a small run. */
const optionsOfRun = (
  options: RunOptions,
  shared: Shared,
  prepared: Runnable,
  trace: RunSpan | undefined,
  onEnd: NonNullable<RunOptions['onEnd']>,
): Required<RunOptions> => ({
  env: options.env ?? shared.env,
  mock: options.mock ?? shared.mock,
  secrets: options.secrets ?? shared.secrets,
  transport: options.transport ?? shared.transport,
  loadPlugin: options.loadPlugin ?? prepared.loadPlugin,
  connectors: options.connectors ?? shared.connectors,
  folder: options.folder ?? prepared.folder,
  requestIsPlain: options.requestIsPlain ?? true,
  requestIsAccepted: options.requestIsAccepted,
  clock: undefined,
  caller: undefined,
  signal: options.signal,
  timeoutMs: options.timeoutMs,
  startedAt: options.startedAt,
  requestId: options.requestId,
  received: options.received,
  trace: trace ?? options.trace,
  traceparent: undefined,
  timezone: options.timezone,
  keepLog: options.keepLog,
  fetch: options.fetch,
  onLog: trace === undefined ? options.onLog : trace.marking(options.onLog),
  onExchange: options.onExchange,
  onReach: options.onReach,
  onProgress: options.onProgress,
  onAwaited: options.onAwaited,
  durable: options.durable,
  takeTurn: options.takeTurn,
  turnToEnd: options.turnToEnd,
  onEnd,
});

/**
 * Creates the redactor only if someone asks. A class, because V8 gives each object literal with a getter its own hidden class, and that
 * keeps the whole run in memory until the next major garbage collection.
 */
class Result implements RunResult {
  readonly outcome: Outcome;
  readonly cause: unknown;
  readonly #redactor: () => Redactor;

  constructor(outcome: Outcome, cause: unknown, redactor: () => Redactor) {
    this.outcome = outcome;
    this.cause = cause;
    this.#redactor = redactor;
  }

  get redactor(): Redactor {
    return this.#redactor();
  }
}

/** Where an internal error happened. Only shown if asked for (`WF_DEBUG=1`), and redacted first. */
export const stackOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

/** The outcome of a run that could not start. */
const refused = (problem: string): Outcome => failed(runStops.cannotStart(problem));

const unfit = ({ code, message, publicMessage, problems }: RequestError): Outcome => ({
  status: 'error',
  message,
  error: { message, publicMessage, code, problems },
  log: [],
});

const failed = ({ code, message }: RunStop): Outcome => ({ status: 'error', message, error: { message, code }, log: [] });

const hex = (digits: number): string =>
  Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0');

/** A new identifier in the form of a random UUID (RFC 9562, version 4). */
const newRunId = (): string =>
  `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + Math.floor(Math.random() * 4)).toString(16)}${hex(3)}-${hex(12)}`;
