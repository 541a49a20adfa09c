// Reads the certificate files of an address and turns its options into those of `node:tls`.
import { readFileSync } from 'node:fs';
import { checkServerIdentity } from 'node:tls';
import { noConnection } from '../../../runtime/services/call-errors.js';
import { fileFault } from '../../engine/files/file-fault.js';
import type { TlsWish } from './address.js';
import { Failed } from './session.js';

/** The options of `tls.connect` that depend on the address. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: typeof checkServerIdentity;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * As in libpq, `require` trusts any certificate unless an authority is given, `verify-ca` checks who signed it, and `verify-full` also
 * checks the host. @throws Failed if a file can't be read
 */
export function tlsOptions({ mode, authority, certificate, key }: TlsWish): TlsOptions {
  const read = (file: string, what: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new Failed(noConnection(`the ${what} named in its address cannot be read: ${fileFault(error)}`, false));
    }
  };
  const verifies = mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && authority !== undefined);
  return {
    rejectUnauthorized: verifies,
    checkServerIdentity: mode === 'verify-full' ? checkServerIdentity : () => undefined,
    ...(authority === undefined ? {} : { ca: read(authority, 'CA file') }),
    ...(certificate === undefined ? {} : { cert: read(certificate, 'certificate') }),
    ...(key === undefined ? {} : { key: read(key, 'key') }),
  };
}

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
