// Connects with or without encryption, as the address asks. `prefer` falls back to an unencrypted connection.
import type { TlsWish } from './address.js';

/** @param connect opens a connection */
export async function connectAsAsked<T>(
  { mode }: TlsWish,
  connect: (encrypted: boolean) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (mode !== 'prefer') return connect(mode !== 'disable');
  try {
    return await connect(true);
  } catch (error) {
    if (signal.aborted) throw error;
    return connect(false);
  }
}
