// The properties of a stored run besides its columns: how it ended, rarely used properties, and the keys of its calls.
import type { OutcomeParts } from '../../../runtime/run/to-outcome.js';
import type { OwnAnswer, RunError, Value, WfRecord } from '../../../runtime/types.js';
import { jsonOfOutputs } from '../../../runtime/values/long-json.js';
import type { SkippedWaits } from './messages.js';
import type { DoubtDecision, Erased } from './run-views.js';

/** The end of a run, as stored. */
export interface StoredOutcome {
  readonly outputs?: WfRecord;
  readonly answer?: OwnAnswer;
  readonly message?: string;
  readonly error?: RunError;
  /** Number of log entries that were not stored. */
  readonly dropped?: number;
}

export interface RunExtra {
  /** Id of the run that this one repeats: 32 hexadecimal digits. */
  readonly rerunOf?: string;
  /** The reason why it is stuck. */
  readonly stuck?: string;
  /** The key that it was started with. */
  readonly key?: string;
  /** The due time that started it. */
  readonly scheduledFor?: string;
  /** The time zone of a workflow that names none. */
  readonly timezone?: string;
  /** Hashes of the values that `find by` names, which only the store computes. */
  readonly found?: readonly string[];
  /** Waits before a retry that had begun by then are over. Milliseconds since 1970. */
  readonly retriedAt?: number;
  /** By line: waits that had begun by then are over, because someone skipped them. Milliseconds since 1970. */
  readonly skipped?: Readonly<Record<string, number>>;
  /** A caller was told that it is accepted. */
  readonly acknowledged?: true;
  /** Keys of calls that another run left in doubt, by address. They are sent again unchanged. An address can stand for the first calls of several branches. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Its data was erased: when (ISO 8601 UTC), and who asked for it, if known. */
  readonly erased?: Erased;
  /** Decisions on calls in doubt of the run that this one repeats. */
  readonly decisions?: readonly DoubtDecision[];
}

/** Where a stored request has what a workflow sees as `received`. A request that has this field itself keeps it inside. */
const RECEIVED = '\0received';

interface BesideRequest {
  readonly received?: WfRecord | undefined;
  /** Hash of the version of the run: sealed with the request, so that no one without the key makes the run execute another one. */
  readonly version?: string | undefined;
  /** The field of that name in the request itself. */
  readonly own?: Value;
}

/** In one text, so that both are encrypted, exported and erased together. */
export function storedRequest(request: WfRecord, received: WfRecord | undefined, version?: string): string {
  const hasOwn = Object.hasOwn(request, RECEIVED);
  if (received === undefined && version === undefined && !hasOwn) return JSON.stringify(request);
  return JSON.stringify({ ...request, [RECEIVED]: { received, version, ...(hasOwn ? { own: request[RECEIVED] } : {}) } });
}

export function readRequest(stored: string): { readonly request: WfRecord } & Pick<BesideRequest, 'received' | 'version'> {
  const whole = JSON.parse(stored) as WfRecord; // a request is a record
  if (!Object.hasOwn(whole, RECEIVED)) return { request: whole, received: undefined };
  const { [RECEIVED]: beside, ...request } = whole;
  const { received, version, own } = (beside ?? {}) as BesideRequest; // written by `storedRequest`
  const sent = own === undefined ? request : { ...request, [RECEIVED]: own };
  return { request: sent, received, ...(version === undefined ? {} : { version }) };
}

export function storedOutcome({ outputs, answer, message, error }: Omit<OutcomeParts, 'status'>, dropped: number): string {
  if (outputs !== undefined && answer === undefined && message === undefined && error === undefined && dropped === 0)
    return `{"outputs":${outputsJson(outputs)}}`;
  return JSON.stringify({ outputs, answer, message, error, dropped: dropped > 0 ? dropped : undefined });
}

/** The end of a run that was cancelled while nobody executed it. */
export const cancelledOutcome = storedOutcome({ message: 'The run was cancelled.' }, 0);

export const readOutcome = (stored: string | null): StoredOutcome =>
  stored === null ? {} : (JSON.parse(stored) as StoredOutcome); // written by `storedOutcome`

export const readExtra = (stored: string | null): RunExtra => (stored === null ? {} : (JSON.parse(stored) as RunExtra)); // written by a live run

/** The changes that end waits of a run early: those before a retry, or those in a line. */
export const retriedNow = (extra: RunExtra): RunExtra => ({ ...extra, retriedAt: Date.now() });

export const skippedIn =
  ({ line, since }: SkippedWaits) =>
  (extra: RunExtra): RunExtra => ({
    ...extra,
    skipped: { ...extra.skipped, [line]: Math.max(since, extra.skipped?.[line] ?? 0) },
  });

/** The properties that remain when the data of a run is erased. @param key the hash of the key that it was started with */
export const erasedExtra = ({ rerunOf, scheduledFor }: RunExtra, key: string | undefined, erased: Erased): string =>
  JSON.stringify({ rerunOf, scheduledFor, key, erased });

/** `4.*-0`, the first call of any branch, for `4.2-0`. */
export const anyFirstCall = (address: string): string => address.replace(/\.\d+-0$/, '.*-0');

/** The `Idempotency-Key` of a call: derived from its run and its address, or the one that an earlier run had sent. */
export const keyOfCall = (id: string, address: string, { keys }: RunExtra): string =>
  keys?.[address] ?? keys?.[anyFirstCall(address)]?.replace('*', String(branchNumber(address))) ?? `wf-${id}-${address}`;

const branchNumber = (address: string): number => Number.parseInt(address.slice(address.lastIndexOf('.') + 1), 10);

/** The stored part of a request to start a run. */
interface StartDetails {
  readonly key?: string | undefined;
  readonly scheduledFor?: string;
  readonly timezone?: string | undefined;
  readonly respondAsync?: boolean;
}

export const storedExtra = (extra: RunExtra): string | null => (Object.keys(extra).length === 0 ? null : JSON.stringify(extra));

/** The key that a run is started with, and other stored details of its start. */
export function startExtra({ key, scheduledFor, timezone, respondAsync = false }: StartDetails): RunExtra {
  if (key === undefined && scheduledFor === undefined && timezone === undefined) return {};
  return {
    // With a space, which no `Idempotency-Key` of a request has.
    ...(scheduledFor === undefined ? {} : { key: `due ${scheduledFor}`, scheduledFor }),
    ...(key === undefined ? {} : { key }),
    // Its caller is immediately told that it is accepted.
    ...(key === undefined || !respondAsync ? {} : { acknowledged: true }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

let lastOutputs: WfRecord | undefined;
let lastOutputsJson = '';

/**
 * Writes the outputs of a run as JSON once, although the store and the answer to a caller both contain them. They must not change between
 * the two calls.
 */
export function outputsJson(outputs: WfRecord): string {
  if (outputs === lastOutputs) {
    // No one needs them a third time, and they may be large.
    lastOutputs = undefined;
    const written = lastOutputsJson;
    lastOutputsJson = '';
    return written;
  }
  lastOutputs = outputs;
  lastOutputsJson = jsonOfOutputs(outputs);
  return lastOutputsJson;
}
