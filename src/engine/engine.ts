// The one way in which every front-end runs a workflow. An engine holds what all runs of a process share: environment, mock services,
// secrets, connections. A front-end makes one at its start and closes it at its end.

import { type RunStop, runStops } from '../../runtime/call-errors.js';
import { milliseconds } from '../../runtime/clock.js';
import { redactorFor, secretsOf } from '../../runtime/redaction.js';
import type { Mocks, Outcome, RunOptions, Transport, WfRecord } from '../../runtime/types.js';
import { missingEnvironment, missingSentence } from './missing-environment.js';
import type { Prepared } from './prepared.js';
import { newRunId } from './run-id.js';
import type { RunRecord } from './run-record.js';
import { createTransport } from './transport.js';

export interface EngineOptions {
  /** What workflows see as `env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Mock answers instead of services; `true` for the standard ones. A run's own `mock` goes before. */
  readonly mock?: boolean | Mocks;
  /** A run of a workflow that names variables which are not set ends as `error` before anything runs. */
  readonly strictEnv?: boolean;
  /** Further texts that no log may hold: a server's token. */
  readonly secrets?: readonly string[];
  /** Instead of the connections that the engine would open. */
  readonly transport?: Transport;
}

export interface Engine {
  /**
   * One run and nothing around it: for a server, which has thousands in a second. `request` must be plain data, as the readers of this
   * project give it. Options of the run go before those of the engine. Never rejects: whatever happens is an outcome.
   */
  run(prepared: Prepared, request: WfRecord, options?: RunOptions): Promise<Outcome>;
  /** As `run`, with everything that is told about it afterwards. */
  execute(prepared: Prepared, request: WfRecord, options?: RunOptions): Promise<RunRecord>;
  /** The record of a run that could not even start: a schedule whose input cannot be read. */
  refuse(prepared: Prepared, message: string): RunRecord;
  /** Closes the connections, once the runs have ended. */
  close(): Promise<void>;
}

export function createEngine({ env, mock = false, strictEnv = false, secrets = [], ...own }: EngineOptions): Engine {
  const connections = createTransport();
  const transport = own.transport ?? connections.transport;
  // Keyed by workflow, so that one that is replaced while a server runs is forgotten with its last run.
  const refusals = new WeakMap<Prepared, string | false>();

  /** Why this workflow cannot run with this environment, if so. */
  const refusalOf = (prepared: Prepared): string | false => {
    const missing = missingEnvironment(prepared.workflow, env);
    const refusal = missing.length > 0 && missingSentence(missing);
    refusals.set(prepared, refusal);
    return refusal;
  };

  const run: Engine['run'] = async (prepared, request, options = {}) => {
    const refusal = strictEnv && (refusals.get(prepared) ?? refusalOf(prepared));
    if (refusal) return refused(refusal);
    try {
      // Name by name: a spread, or Object.assign, takes longer than the rest of a small run.
      return await prepared.run(request, {
        env: options.env ?? env,
        mock: options.mock ?? mock,
        secrets: options.secrets ?? secrets,
        transport: options.transport ?? transport,
        loadPlugin: options.loadPlugin ?? prepared.loadPlugin,
        requestIsPlain: options.requestIsPlain ?? true,
        signal: options.signal,
        timeoutMs: options.timeoutMs,
        startedAt: options.startedAt,
        keepLog: options.keepLog,
        fetch: options.fetch,
        onLog: options.onLog,
        onExchange: options.onExchange,
        onReach: options.onReach,
        onProgress: options.onProgress,
      } satisfies Required<RunOptions>);
    } catch (cause) {
      return broken(cause);
    }
  };

  const toRecord = (of: Omit<RunRecord, 'runId' | 'finishedAt' | 'redactor'>): RunRecord => ({
    runId: newRunId(),
    ...of,
    finishedAt: new Date(of.startedAt.getTime() + of.durationMs),
    redactor: of.outcome.redactor ?? redactorFor(secretsOf(of.prepared.workflow, env, secrets)),
  });

  return {
    run,
    async execute(prepared, request, options = {}) {
      const startedAt = options.startedAt ?? new Date();
      const start = milliseconds();
      const outcome = await run(prepared, request, { ...options, startedAt });
      const durationMs = Math.round(milliseconds() - start);
      return toRecord({ prepared, mock: Boolean(options.mock ?? mock), request, outcome, startedAt, durationMs });
    },
    refuse: (prepared, message) =>
      toRecord({ prepared, mock: Boolean(mock), request: {}, outcome: refused(message), startedAt: new Date(), durationMs: 0 }),
    close: () => connections.close(),
  };
}

/** The end of a run that could not start; nothing of the workflow has run. */
const refused = (problem: string): Outcome => failed(runStops.cannotStart(problem));

/** A run gives its errors as data; one that is thrown is a fault of `wf` itself. It must not take a server or a schedule down. */
const broken = (cause: unknown): Outcome => Object.defineProperty(failed(runStops.unexpected()), 'cause', { value: cause });

const failed = ({ code, message }: RunStop): Outcome => ({ status: 'error', message, error: { message, code }, log: [] });
