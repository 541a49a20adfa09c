// The address of a store on PostgreSQL: validated, completed, and shown without its password.

import { userInfo } from 'node:os';
import type { Environment } from '../../../../runtime/types.js';
import { dropTlsWish, type TlsWish, tlsWish } from '../../../connectors/database/address.js';
import { UsageError } from '../../../engine/usage-error.js';

export interface PostgresAddress {
  /** With user and database, and with the password if there is one; without what it says about encryption. */
  readonly url: string;
  readonly tls: TlsWish;
  /** For messages: contains neither the password nor options. */
  readonly shown: string;
  readonly database: string;
}

const DEFAULT_PORT = '5432';

/**
 * @param base absolute path that the files of certificates are resolved against
 * @throws UsageError for an invalid address, or one without a database
 */
export function readAddress(where: string, env: Environment, base: string): PostgresAddress {
  let url: URL;
  try {
    url = new URL(where);
  } catch {
    throw new UsageError(
      'The address of the store is not a valid postgres:// address.',
      'Write it like postgres://user:password@host:5432/database; encode special characters in the password, such as %40 for @.',
    );
  }
  if (url.hostname === '') url.hostname = env.PGHOST || '127.0.0.1';
  if (url.username === '') url.username = env.PGUSER || userInfo().username;
  if (url.password === '' && env.PGPASSWORD !== undefined) url.password = encodeURIComponent(env.PGPASSWORD);
  const database = decodeURIComponent(url.pathname.slice(1));
  const shown = `postgres://${url.username}@${url.hostname}:${url.port || DEFAULT_PORT}/${database}`;
  if (database === '') {
    throw new UsageError(
      `The store ${shown} names no database.`,
      `Create one and put its name at the end of the address: createdb wf, then ${shown}wf`,
    );
  }
  const tls = tlsWish(url.searchParams, base, env.PGSSLMODE || undefined);
  if (tls === undefined)
    throw new UsageError(
      `The address of the store ${shown} names an unknown kind of encryption (sslmode).`,
      'Use sslmode=disable, prefer, require, verify-ca or verify-full.',
    );
  dropTlsWish(url.searchParams);
  return { url: url.href, tls, shown, database };
}
