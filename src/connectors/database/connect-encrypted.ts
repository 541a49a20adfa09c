// How an address asks for encryption → one attempt to connect, or two: `prefer` takes an unencrypted connection where there is no other.
import type { TlsWish } from './address.js';

/** @param connect opens a connection, encrypted or not */
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
