// Finds the cache folder, and decides whether its content can be trusted: only if it belongs to this user and no one else can
// write it.

import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../runtime/types.js';

// Loaded only if needed: HOME is nearly always set.
declare function require(module: 'node:os'): typeof import('node:os');

export interface CacheOptions {
  readonly env: Environment;
}

/** The cache folder, or `undefined` if the cache is off or has no place. */
export function cacheFolder({ env }: CacheOptions): string | undefined {
  if (env.WF_CACHE?.toLowerCase() === 'off') return undefined;
  // The XDG specification says to ignore a relative path.
  const base = absolute(env.XDG_CACHE_HOME);
  if (base !== undefined) return path.join(base, 'wf');
  const home = absolute(env.HOME) ?? homeOfUser();
  return home === undefined ? undefined : path.join(home, '.cache', 'wf');
}

/** A relative folder would depend on where wf is started. */
const absolute = (folder: string | undefined): string | undefined =>
  folder !== undefined && path.isAbsolute(folder) ? folder : undefined;

/** As the system knows it. A container may run as a user without an entry. */
function homeOfUser(): string | undefined {
  try {
    return absolute(require('node:os').userInfo().homedir);
  } catch {
    return undefined;
  }
}

/** True if it belongs to this user and no one else can write it. On Windows, the folders of users are separate anyway. */
export function isPrivate(name: string, kind: 'file' | 'folder'): boolean {
  const stats = lstatSync(name);
  if (kind === 'folder' ? !stats.isDirectory() : !stats.isFile()) return false;
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}
