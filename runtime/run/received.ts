// `received`: what is known of how a run was started, besides its request. The host gives it; a run that is given nothing was started by hand.
import type { WfRecord } from '../values/value-types.js';

/** The way in which a run was started. */
export const waysReceived = ['http', 'schedule', 'command line', 'workflow'] as const;
type ReceivedBy = (typeof waysReceived)[number];

interface ReceivedMore {
  /** Names in lower case, without credentials. */
  readonly headers?: WfRecord;
  readonly query?: WfRecord;
  /** Of the request, as logs name it. */
  readonly id?: string | undefined;
  readonly at?: Date | undefined;
  /** The name of the caller's token. */
  readonly caller?: string | undefined;
}

export const receivedBy = (
  by: ReceivedBy,
  { headers = {}, query = {}, id = newId(), at = new Date(), caller }: ReceivedMore = {},
): WfRecord => ({
  by,
  at: at.toISOString(),
  id,
  headers,
  query,
  ...(caller === undefined ? {} : { caller }),
});

/** Names of headers that let whoever knows their value act as the sender. */
const CREDENTIALS =
  /^(?:authorization|proxy-authorization|cookie|x-csrf-token)$|(?:^|-)(?:token|secret|password|passwd|api-?key|access-?key|auth|credentials?|session)$/;
/** Keeps a repeated request from being done twice; not a credential, whatever its name. */
const IDEMPOTENCY = /idempotency/;

/** Whether `received` leaves a header out. @param name in lower case */
export const isCredentialHeader = (name: string): boolean => CREDENTIALS.test(name) && !IDEMPOTENCY.test(name);

/** In the form of a UUID. */
const newId = (): string => {
  const hex = (digits: number): string =>
    Math.floor(Math.random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
};
