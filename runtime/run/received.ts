// `received`: what is known of how a run was started, besides its request. The host gives it; a run that is given nothing was started by hand.
import type { WfRecord } from '../types.js';

/** How a run was started. */
export type ReceivedBy = 'http' | 'schedule' | 'command line' | 'workflow';

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
  ...{ by, at: at.toISOString(), id, headers, query },
  ...(caller === undefined ? {} : { caller }),
});

/** In the form of a UUID. */
const newId = (): string => {
  const hex = (digits: number): string =>
    Math.floor(Math.random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
};
