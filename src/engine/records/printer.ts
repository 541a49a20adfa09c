// Batches lines into few large writes: under load, one write per line would cost more than the runs. All lines of one turn of
// the event loop are written together. A slow reader never holds up the work, not even at its end.
import type { Writable } from 'node:stream';

/** Characters to buffer for a slow reader. Beyond this, lines are dropped and counted. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Milliseconds that a reader gets for the last lines. */
const PATIENCE = 3_000;

export interface Printer {
  /** One line, without its line break. */
  line(text: string): void;
  /** Writes everything that is waiting. Resolves when the stream has accepted it, or when no one seems to read it. */
  flush(): Promise<void>;
}

/** For an app inside another program. */
export const silent: Printer = { line: () => undefined, flush: async () => undefined };

/** @param together write the lines of one turn together instead of each immediately */
export function createPrinter(stream: Writable, { together = true, patience = PATIENCE } = {}): Printer {
  let waiting: string[] = [];
  let size = 0;
  let dropped = 0;
  let scheduled = false;
  let blocked = false;

  const write = (): void => {
    scheduled = false;
    if (!blocked) writeAll();
  };
  const writeAll = (): void => {
    if (waiting.length === 0) return;
    if (dropped > 0) waiting.push(`(${dropped} lines were dropped because they were not read in time)`);
    const text = `${waiting.join('\n')}\n`;
    waiting = [];
    size = 0;
    dropped = 0;
    const wasBlocked = blocked;
    blocked = !stream.write(text);
    if (blocked && !wasBlocked) stream.once('drain', unblock);
  };
  const unblock = (): void => {
    blocked = false;
    write();
  };

  return {
    line(text) {
      // The reader has gone, so no one is going to read this.
      if (stream.destroyed) return;
      if (size + text.length > MOST_WAITING) {
        dropped++;
        return;
      }
      size += text.length;
      waiting.push(text);
      if (scheduled || blocked) return;
      if (!together) return write();
      scheduled = true;
      setImmediate(write);
    },
    flush() {
      if (stream.destroyed || !stream.writable) return Promise.resolve();
      writeAll();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, patience);
        stream.write('', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}
