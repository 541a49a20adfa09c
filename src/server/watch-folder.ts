// Watches a folder and reports each burst of changes once. Doesn't say what changed, because systems disagree about that.
import { type FSWatcher, watch } from 'node:fs';

/** Milliseconds of quiet to wait for: editors write a file in several steps. */
const QUIET_MS = 80;

/**
 * Calls back when the folder has been quiet for a moment after a change, but never while an earlier call is still running.
 * Returns a function that stops watching.
 * @param onLost called when the folder can no longer be watched
 */
export function watchFolder(folder: string, onChange: () => Promise<void>, onLost: (cause: Error) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  let again = false;
  let ended = false;

  const run = async (): Promise<void> => {
    timer = undefined;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      await onChange();
    } finally {
      busy = false;
    }
    if (again) {
      again = false;
      schedule();
    }
  };
  const schedule = (): void => {
    if (ended) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };

  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, schedule);
    watcher.on('error', onLost);
  } catch (cause) {
    onLost(cause instanceof Error ? cause : new Error(String(cause)));
  }
  return () => {
    ended = true;
    clearTimeout(timer);
    watcher?.close();
  };
}
