// The address of a store on PostgreSQL: validated, completed, and shown without its password.

import { userInfo } from 'node:os';
import type { Environment } from '../../../../runtime/types.js';
import { UsageError } from '../../../engine/usage-error.js';

export interface PostgresAddress {
  /** With user and database, and with the password if there is one. */
  readonly url: string;
  /** For messages: contains neither the password nor options. */
  readonly shown: string;
  readonly database: string;
}

const DEFAULT_PORT = '5432';

/** @throws UsageError for an invalid address, or one without a database */
export function readAddress(where: string, env: Environment): PostgresAddress {
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
  return { url: url.href, shown, database };
}
