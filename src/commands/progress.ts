// A progress line on a terminal: items done, rate, time left. Never written to a pipe or a file.
import { milliseconds } from '../../runtime/run/clock.js';
import type { Io } from '../engine/io.js';

/** Shorter work finishes before anyone looks. */
const MIN_ITEMS = 1_000;
/** Milliseconds between two updates, and before the first one. */
const INTERVAL = 200;

export interface Progress {
  /** `key` identifies the work if some of it is nested; only the outermost is shown. */
  readonly update: (key: number, label: string, done: number, total: number) => void;
  /** Erases the line. Call it before writing anything else. */
  readonly clear: () => void;
}

/** A progress line on standard error if that is a terminal. `now` counts milliseconds. */
export function createProgress(io: Pick<Io, 'stderr'>, minItems = MIN_ITEMS, now: () => number = milliseconds): Progress {
  const started = new Map<number, number>();
  let shownAt: number | undefined;
  let isShown = false;
  let outermost = Number.POSITIVE_INFINITY;
  const clear = (): void => {
    if (isShown) io.stderr.write('\r\u001b[K');
    isShown = false;
  };
  return {
    clear,
    update(key, label, done, total) {
      if (total <= minItems) return;
      const time = now();
      shownAt ??= time;
      if (!started.has(key)) started.set(key, time);
      outermost = Math.min(outermost, key);
      if (done >= total) {
        started.delete(key);
        if (key === outermost) outermost = Number.POSITIVE_INFINITY;
        return;
      }
      if (key > outermost || time - shownAt < INTERVAL) return;
      shownAt = time;
      // Asked as late as possible, because creating the stream takes longer than a small command.
      if (io.stderr.isTTY !== true) return;
      io.stderr.write(`\r${progressText(label, done, total, time - (started.get(key) ?? time))}\u001b[K`);
      isShown = true;
    },
  };
}

/** `line 12: 45,000 of 200,000 (22 %), 12,000 a second, 13 s left`. @param elapsed milliseconds since the first reported item */
export function progressText(label: string, done: number, total: number, elapsed: number): string {
  const count = (value: number): string => Math.round(value).toLocaleString('en');
  const text = `${label}: ${count(done)} of ${count(total)} (${Math.floor((100 * done) / total)} %)`;
  if (elapsed < INTERVAL || done === 0) return text;
  const perSecond = (done * 1_000) / elapsed;
  return `${text}, ${count(perSecond)} a second, ${leftText((total - done) / perSecond)} left`;
}

const leftText = (seconds: number): string => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);
