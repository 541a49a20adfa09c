// The options with which a run of a store executes: those of its start, and what only a run in a store has.
import type { EndSignal } from '../../../runtime/run/cancellation.js';
import type { DurableRun } from '../../../runtime/run/durable-run.js';
import type { RunOptions } from '../../../runtime/types.js';

export interface WithJournal {
  readonly durable: DurableRun;
  readonly signal: EndSignal;
  /** The time zone of a workflow that names none. */
  readonly timezone: string | undefined;
  readonly onLog: RunOptions['onLog'];
  readonly loadPlugin: NonNullable<RunOptions['loadPlugin']>;
}

/** Names each option, because a spread takes longer than everything else at the start of a run. */
export const optionsWithJournal = (
  given: RunOptions,
  { durable, signal, timezone, onLog, loadPlugin }: WithJournal,
): Required<RunOptions> => ({
  env: given.env,
  mock: given.mock,
  signal,
  onLog,
  onExchange: given.onExchange,
  fetch: given.fetch,
  transport: given.transport,
  loadPlugin,
  connectors: given.connectors,
  folder: given.folder,
  timeoutMs: given.timeoutMs,
  onReach: given.onReach,
  onProgress: given.onProgress,
  onEnd: given.onEnd,
  keepLog: false,
  startedAt: given.startedAt,
  timezone,
  secrets: given.secrets,
  takeTurn: given.takeTurn,
  durable,
  requestIsPlain: given.requestIsPlain,
  requestIsAccepted: given.requestIsAccepted,
});
