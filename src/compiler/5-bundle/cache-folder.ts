// Where the cache is, and whether what stands there can be trusted: only what belongs to this user and nobody else can write.
import { lstatSync } from 'node:fs';
import path from 'node:path';

// Loaded only where it is needed: HOME is nearly always set.
declare function require(module: 'node:os'): typeof import('node:os');

export interface CacheOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The folder of the cache, or `undefined` where it is turned off. */
export function cacheFolder({ env }: CacheOptions): string | undefined {
  if (env.WF_CACHE?.toLowerCase() === 'off') return undefined;
  const base = env.XDG_CACHE_HOME;
  // The XDG specification tells to ignore a relative path.
  return path.join(
    base !== undefined && path.isAbsolute(base) ? base : path.join(env.HOME ?? require('node:os').homedir(), '.cache'),
    'wf',
  );
}

/** True where it belongs to this user and nobody else can write it. Windows keeps the folders of users apart by itself. */
export function isPrivate(name: string, kind: 'file' | 'folder'): boolean {
  const stats = lstatSync(name);
  if (kind === 'folder' ? !stats.isDirectory() : !stats.isFile()) return false;
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}
