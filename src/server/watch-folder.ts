// A folder goes in; whoever asked is told, once for each burst of changes, that something in it is different. What it is, is not told: systems disagree on that.
import { type FSWatcher, watch } from 'node:fs';

/** Editors write a file in several steps. */
const QUIET_MS = 80;

/**
 * Calls back when the folder has been quiet for a moment after a change; never while an earlier call is still going on. Returns what ends the watching.
 * @param onLost told when the folder cannot be watched any more
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
