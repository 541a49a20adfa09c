// What a row of the store holds of a run beside its columns: how it ended, and what little is known of few runs.
import type { Outcome, RunError, RunStatus, WfRecord } from '../../../runtime/types.js';
import type { StartRequest } from '../durable-engine.js';

/** The end of a run as it is kept. */
export interface StoredOutcome {
  readonly outputs?: WfRecord;
  readonly message?: string;
  readonly error?: RunError;
  /** Log entries that were not kept. */
  readonly dropped?: number;
}

export interface RunExtra {
  /** Id of the run that this one repeats: 32 hexadecimal digits. */
  readonly rerunOf?: string;
  /** Why it is stuck. */
  readonly stuck?: string;
  /** The key that it was started with. */
  readonly key?: string;
  /** The due time that started it. */
  readonly scheduledFor?: string;
  /** The time zone of a workflow that names none. */
  readonly timezone?: string;
  /** A caller was told that it is accepted. */
  readonly acknowledged?: true;
  /** Keys of calls that another run left in doubt, by place: they are sent again as they were. */
  readonly keys?: Readonly<Record<string, string>>;
}

export function storedOutcome({ outputs, message, error }: Outcome, dropped: number): string {
  return JSON.stringify({ outputs, message, error, ...(dropped > 0 ? { dropped } : {}) });
}

export const readOutcome = (stored: string | null): StoredOutcome =>
  stored === null ? {} : (JSON.parse(stored) as StoredOutcome); // written by `storedOutcome`

export const readExtra = (stored: string | null): RunExtra => (stored === null ? {} : (JSON.parse(stored) as RunExtra)); // written by a live run

/** The `Idempotency-Key` of a call: of its run and place, or the one that a run before it had sent. */
export const keyOfPlace = (id: string, place: string, { keys }: RunExtra): string => keys?.[place] ?? `wf-${id}-${place}`;

/** The outcome of a finished run, as its caller gets it; without its log. */
export function toOutcome(status: RunStatus, { outputs, message, error }: StoredOutcome): Outcome {
  return {
    status,
    ...(outputs === undefined ? {} : { outputs }),
    ...(message === undefined ? {} : { message }),
    ...(error === undefined ? {} : { error }),
    log: [],
  };
}

type StartDetails = Pick<StartRequest, 'key' | 'scheduledFor' | 'timezone' | 'respondAsync'>;

/** The key that a run is started with, and what else is kept of its start. */
export function startExtra({ key, scheduledFor, timezone, respondAsync = false }: StartDetails): RunExtra {
  return {
    // With a space, which no `Idempotency-Key` of a request has.
    ...(scheduledFor === undefined ? {} : { key: `due ${scheduledFor}`, scheduledFor }),
    ...(key === undefined ? {} : { key }),
    // Its caller is answered at once that it is accepted.
    ...(key === undefined || !respondAsync ? {} : { acknowledged: true }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
