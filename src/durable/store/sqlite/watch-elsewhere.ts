// Notices that another process has written to the store by the times of its files. Never opens them, because closing such a file would drop
// the locks that this process holds on it.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const EVERY_MS = 500;
const FILES = /^(?:s(\d+)|common)\.db(?:-wal)?$/;

/** @param isOwn whether only this process writes to a shard. Returns a function that stops watching. */
export function watchElsewhere(folder: string, isOwn: (shard: number) => boolean, onChange: () => void): () => void {
  let last = stateOf(folder, isOwn);
  const timer = setInterval(() => {
    const now = stateOf(folder, isOwn);
    if (now !== last) onChange();
    last = now;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function stateOf(folder: string, isOwn: (shard: number) => boolean): string {
  try {
    return readdirSync(folder)
      .filter((name) => {
        const found = FILES.exec(name);
        return found !== null && (found[1] === undefined || !isOwn(Number(found[1])));
      })
      .map((name) => {
        const state = statSync(path.join(folder, name), { throwIfNoEntry: false });
        return `${name} ${state?.mtimeMs} ${state?.size}`;
      })
      .join('\n');
  } catch {
    // The folder is gone or can't be read, which the store reports itself.
    return '';
  }
}
