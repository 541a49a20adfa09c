// Lines go in, few large writes come out: under load, a write for each line would cost more than the runs. Lines that were printed in one
// turn of the event loop leave together.
import type { Writable } from 'node:stream';

/** What may wait for a reader that does not keep up, in characters; more is dropped, and said so. */
const MOST_WAITING = 8 * 1024 * 1024;

export interface Printer {
  /** One line, without its line end. */
  line(text: string): void;
  /** Writes what is waiting at once; resolves when the stream has taken it. */
  flush(): Promise<void>;
}

/** For an app that is part of another program. */
export const silent: Printer = { line: () => undefined, flush: async () => undefined };

export function createPrinter(stream: Writable): Printer {
  let waiting: string[] = [];
  let size = 0;
  let dropped = 0;
  let scheduled = false;
  let blocked = false;

  const write = (): void => {
    scheduled = false;
    if (blocked || waiting.length === 0) return;
    if (dropped > 0) waiting.push(`(${dropped} lines were dropped: they came faster than they were read)`);
    const text = `${waiting.join('\n')}\n`;
    waiting = [];
    size = 0;
    dropped = 0;
    blocked = !stream.write(text);
    if (blocked) stream.once('drain', unblock);
  };
  const unblock = (): void => {
    blocked = false;
    write();
  };

  return {
    line(text) {
      if (size + text.length > MOST_WAITING) {
        dropped++;
        return;
      }
      size += text.length;
      waiting.push(text);
      if (scheduled || blocked) return;
      scheduled = true;
      setImmediate(write);
    },
    flush() {
      write();
      if (stream.destroyed || !stream.writable) return Promise.resolve();
      return new Promise((resolve) => {
        stream.write('', () => resolve());
      });
    },
  };
}
