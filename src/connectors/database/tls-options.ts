// What an address says of encryption → options of node:tls, with its files read.
import { readFileSync } from 'node:fs';
import { checkServerIdentity } from 'node:tls';
import { noConnection } from '../../../runtime/call-errors.js';
import { fileFault } from '../../engine/file-fault.js';
import type { TlsWish } from './address.js';
import { Failed } from './session.js';

/** The options of `tls.connect` that an address decides. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: typeof checkServerIdentity;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * `require` encrypts and trusts any certificate unless an authority is named, as PostgreSQL's and MySQL's own programs do; `verify-ca` looks
 * at who signed it, `verify-full` at the host's name too. @throws Failed for a file that cannot be read
 */
export function tlsOptions({ mode, authority, certificate, key }: TlsWish): TlsOptions {
  const read = (file: string, what: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new Failed(noConnection(`the ${what} that its address names cannot be read: ${fileFault(error)}`, false));
    }
  };
  const verifies = mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && authority !== undefined);
  return {
    rejectUnauthorized: verifies,
    checkServerIdentity: mode === 'verify-full' ? checkServerIdentity : () => undefined,
    ...(authority === undefined ? {} : { ca: read(authority, 'file of authorities') }),
    ...(certificate === undefined ? {} : { cert: read(certificate, 'certificate') }),
    ...(key === undefined ? {} : { key: read(key, 'key') }),
  };
}
