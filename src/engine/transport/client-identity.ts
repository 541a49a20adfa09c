// Loads the files of a client certificate for TLS connections. Reads them again when they change, because certificates are replaced every
// few months.
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TransportRequest } from '../../../runtime/types.js';
import { fileFault } from '../files/file-fault.js';

type Files = NonNullable<TransportRequest['clientCertificate']>;

interface ClientIdentity {
  /** Differs for every other state of the files. */
  readonly key: string;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer };
}

/** The code that `causeOf` of the runtime recognizes. The message says what is wrong, without a path. */
const refused = (problem: string): Error => Object.assign(new Error(problem), { code: 'ERR_WF_CERTIFICATE' });

/** @throws an error with the code `ERR_WF_CERTIFICATE` */
export function readIdentity({ certificate, key }: Files): ClientIdentity {
  const read = (file: string, what: string) => {
    try {
      const { mtimeMs, size, ino } = statSync(file);
      return { state: `${file} ${mtimeMs} ${size} ${ino}`, bytes: readFileSync(file) };
    } catch (error) {
      throw refused(`its client ${what} cannot be read: ${fileFault(error)}`);
    }
  };
  const [first, second] = [read(certificate, 'certificate'), read(key, 'key')];
  const tls = { cert: first.bytes, key: second.bytes };
  try {
    createSecureContext(tls);
  } catch {
    throw refused('its client certificate and key are not in PEM format, do not belong together, or need a passphrase');
  }
  return { key: `${first.state} ${second.state}`, tls };
}
