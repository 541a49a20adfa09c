// Lines go in, few large writes come out: under load, a write for each line would cost more than the runs. Lines that were printed in one
// turn of the event loop leave together. Whoever reads them never holds up the work: not by being slow, and not at its end.
import type { Writable } from 'node:stream';

/** What may wait for a reader that does not keep up, in characters; more is dropped, and said so. */
const MOST_WAITING = 8 * 1024 * 1024;
/** How long a reader may take, in milliseconds, to read the last lines. */
const PATIENCE = 3_000;

export interface Printer {
  /** One line, without its line end. */
  line(text: string): void;
  /** Writes what is waiting at once; resolves when the stream has taken it, or when nobody seems to read it any more. */
  flush(): Promise<void>;
}

/** For an app that is part of another program. */
export const silent: Printer = { line: () => undefined, flush: async () => undefined };

/** @param together whether the lines of one turn leave together; otherwise each leaves at once */
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
    if (dropped > 0) waiting.push(`(${dropped} lines were dropped: they came faster than they were read)`);
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
      // The reader has gone: nobody is going to read this.
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
