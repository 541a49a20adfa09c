// Where the cache is, and whether what stands there can be trusted: only what belongs to this user and nobody else can write.
import { lstatSync } from 'node:fs';
import path from 'node:path';

// Loaded only where it is needed: HOME is nearly always set.
declare function require(module: 'node:os'): typeof import('node:os');

export interface CacheOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The folder of the cache, or `undefined` where it is turned off, or there is no place for it. */
export function cacheFolder({ env }: CacheOptions): string | undefined {
  if (env.WF_CACHE?.toLowerCase() === 'off') return undefined;
  // The XDG specification tells to ignore a relative path.
  const base = absolute(env.XDG_CACHE_HOME);
  if (base !== undefined) return path.join(base, 'wf');
  const home = absolute(env.HOME) ?? homeOfUser();
  return home === undefined ? undefined : path.join(home, '.cache', 'wf');
}

/** A folder that depends on where wf is started would be anybody's. */
const absolute = (folder: string | undefined): string | undefined =>
  folder !== undefined && path.isAbsolute(folder) ? folder : undefined;

/** As the system knows it; a container may run as a user that it does not know. */
function homeOfUser(): string | undefined {
  try {
    return absolute(require('node:os').userInfo().homedir);
  } catch {
    return undefined;
  }
}

/** True where it belongs to this user and nobody else can write it. Windows keeps the folders of users apart by itself. */
export function isPrivate(name: string, kind: 'file' | 'folder'): boolean {
  const stats = lstatSync(name);
  if (kind === 'folder' ? !stats.isDirectory() : !stats.isFile()) return false;
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}
