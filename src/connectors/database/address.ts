// Parses the address of a database, reads its certificate files and makes the options of `node:tls`. wf does this itself rather than the
// drivers, so that all kinds of databases accept the same syntax, and no address can make a driver read any other file or the environment.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkServerIdentity } from 'node:tls';
import { noConnection } from '../../../runtime/services/call-errors.js';
import { percentDecoded } from '../../../runtime/values/percent-decoded.js';
import { fileFault } from '../../engine/files/file-fault.js';
import { Failed } from './result.js';

export interface ServerAddress {
  readonly dialect: 'postgres' | 'mysql';
  /** A host's name or address, or the folder or path of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: TlsWish;
  /** The name that PostgreSQL shows for this client. */
  readonly applicationName: string;
}

interface FileAddress {
  readonly dialect: 'sqlite';
  readonly file: string;
}

export type DatabaseAddress = ServerAddress | FileAddress;

/** The encryption that an address asks for, in libpq's terms. */
export interface TlsWish {
  readonly mode: 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  /** Absolute paths of PEM files. */
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
}

const servers: Readonly<
  Record<string, { readonly dialect: ServerAddress['dialect']; readonly port: number; readonly user: string }>
> = {
  'postgres:': { dialect: 'postgres', port: 5432, user: 'postgres' },
  'postgresql:': { dialect: 'postgres', port: 5432, user: 'postgres' },
  'mysql:': { dialect: 'mysql', port: 3306, user: 'root' },
  'mariadb:': { dialect: 'mysql', port: 3306, user: 'root' },
};

type ParsedAddress = DatabaseAddress | { readonly problem: string };

/** @param base absolute path that relative paths are resolved against */
export function parseDatabaseAddress(text: string, base: string): ParsedAddress {
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: 'contains a line break or another control character' };
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return fileAddress(text, base);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: 'cannot be read: in a user or password, write special characters percent-encoded, such as %40 for @' };
  }
  const server = servers[url.protocol];
  if (server === undefined)
    return { problem: 'does not start with postgres://, mysql:// or mariadb://, and is not the path of a file' };
  const tls = tlsWish(url.searchParams, base);
  if (tls === undefined) return { problem: 'names an unknown kind of encryption (sslmode)' };
  const options = url.searchParams;
  const socket = options.get('host') ?? options.get('socket') ?? options.get('socketPath');
  const user = percentDecoded(url.username) || options.get('user') || server.user;
  return {
    dialect: server.dialect,
    host: socket ?? (percentDecoded(url.hostname).replace(/^\[(.*)\]$/, '$1') || '127.0.0.1'),
    port: url.port === '' ? server.port : Number(url.port),
    user,
    password: percentDecoded(url.password) || options.get('password') || '',
    database: percentDecoded(url.pathname.slice(1)) || options.get('dbname') || (server.dialect === 'postgres' ? user : ''),
    tls,
    applicationName: options.get('application_name') ?? 'wf',
  };
}

function fileAddress(text: string, base: string): ParsedAddress {
  if (text.trim() === '' || text.endsWith('/') || text === ':memory:') return { problem: 'does not name a file' };
  return { dialect: 'sqlite', file: path.resolve(base, text) };
}

const modes = new Map<string, TlsWish['mode']>(
  Object.entries({
    disable: 'disable',
    disabled: 'disable',
    false: 'disable',
    allow: 'prefer',
    prefer: 'prefer',
    preferred: 'prefer',
    require: 'require',
    required: 'require',
    trust: 'require',
    'no-verify': 'require',
    true: 'verify-full',
    'verify-ca': 'verify-ca',
    'verify-identity': 'verify-full',
    'verify-full': 'verify-full',
  } as const),
);

/** Names of each setting in addresses, in lower case and without hyphens: common tools spell them differently. */
const tlsNames = {
  mode: ['sslmode', 'ssl', 'tls'],
  authority: ['sslrootcert', 'sslca', 'serversslcert'],
  certificate: ['sslcert'],
  key: ['sslkey'],
};

const plainName = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** `undefined` if the address names an unknown kind of encryption. @param usual unless the address says something else */
export function tlsWish(options: URLSearchParams, base: string, usual = 'disable'): TlsWish | undefined {
  const named = (names: readonly string[]): string | undefined =>
    [...options].find(([name]) => names.includes(plainName(name)))?.[1];
  const mode = modes.get((named(tlsNames.mode) ?? usual).toLowerCase().replaceAll('_', '-'));
  if (mode === undefined) return undefined;
  const files = (['authority', 'certificate', 'key'] as const).flatMap((what) => {
    const file = named(tlsNames[what]);
    return file === undefined ? [] : [[what, path.resolve(base, file)]];
  });
  return { mode, ...Object.fromEntries(files) };
}

/** Takes the settings that `tlsWish` reads out of an address, for a driver that would read them in its own way. */
export function dropTlsWish(options: URLSearchParams): void {
  const known = Object.values(tlsNames).flat();
  for (const name of [...options.keys()]) if (known.includes(plainName(name))) options.delete(name);
}

const queryParts = { host: 'hostname', port: 'port', user: 'username', password: 'password' } as const;

/**
 * The address of a PostgreSQL server for its driver. What its query says about the parts of an address, which the driver would prefer, is
 * in their places: the address leads where it is shown to lead. @throws if it is none
 */
export function postgresUrl(text: string): URL {
  const url = new URL(text);
  for (const [name, part] of Object.entries(queryParts)) {
    const value = url.searchParams.getAll(name).pop();
    url.searchParams.delete(name);
    if (value) setPart(url, part, value);
  }
  for (const written of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(written);
  return url;
}

/** @throws for a value that is none of this part */
export function setPart(url: URL, part: (typeof queryParts)[keyof typeof queryParts], value: string): void {
  url[part] = part === 'hostname' && value.includes(':') ? `[${value}]` : encodeURIComponent(value);
  if (percentDecoded(url[part].replace(/^\[(.*)\]$/, '$1')) !== value)
    throw new TypeError(`The ${part} of an address is not valid.`);
}

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
