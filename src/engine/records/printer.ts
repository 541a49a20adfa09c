// Batches lines into few large writes: under load, one write per line would cost more than the runs. All lines of one turn of
// the event loop are written together. A slow reader never holds up the work, not even at its end.
import type { Writable } from 'node:stream';
import { oneLine } from '../../../runtime/values/one-line.js';
import type { Fault } from '../../compiler/diagnostics/render-text.js';
import { didYouMean } from '../../compiler/diagnostics/suggest.js';
import type { Output } from '../io.js';

/** Characters to buffer for a slow reader. Beyond this, lines are dropped and counted. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Milliseconds that a reader gets for the last lines. */
const PATIENCE = 3_000;

export type Level = 'info' | 'warn' | 'error';

/** A line as data, for programs that read logs. Its level and time are those of the printer and of now by default. */
export interface LineFields {
  readonly message: string;
  readonly level?: Level;
  /** ISO 8601. */
  readonly time?: string;
  readonly [field: string]: string | number | undefined;
}

export interface Printer {
  /**
   * One line, without its line break.
   * @param fields printed in place of the text as JSON, if that is the format
   */
  line(text: string, fields?: () => LineFields): void;
  /** Writes everything that is waiting. Resolves when the stream has accepted it, or when no one seems to read it. */
  flush(): Promise<void>;
}

/** For an app inside another program. */
export const silent: Printer = { line: () => undefined, flush: async () => undefined };

interface PrinterOptions {
  /** Write the lines of one turn together instead of each immediately. */
  readonly together?: boolean;
  /** Milliseconds that a reader gets for the last lines. */
  readonly patience?: number;
  /** Print one JSON object a line. This is the level of those that have none. */
  readonly jsonLevel?: Level | undefined;
}

/** The format of printed lines: text for people, or one JSON object per line. */
export type LogFormat = 'text' | 'json';

/** Each text that is written becomes one JSON line. */
export const jsonOutput = (output: Output, level: Level): Output => ({
  write: (text) => output.write(`${jsonLine(level, { message: String(text).trim() })}\n`),
});

/** A finding of the check, as a line. */
export const faultLine = ({ severity, message, suggestion, hint, file, line, code }: Fault): LineFields => ({
  level: severity === 'error' ? 'error' : 'warn',
  message: [message, suggestion === undefined ? undefined : didYouMean(suggestion), hint].filter(Boolean).join(' '),
  file,
  line,
  code,
});

/** JSON escapes only some of what controls a terminal. In the texts of this line, the same escapes stand for the rest. */
const jsonLine = (level: Level, { message, ...fields }: LineFields): string =>
  oneLine(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));

export function createPrinter(
  stream: Writable,
  { together = true, patience = PATIENCE, jsonLevel }: PrinterOptions = {},
): Printer {
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
    if (dropped > 0) {
      const message = `(${dropped} lines were dropped because they were not read in time)`;
      waiting.push(jsonLevel === undefined ? message : jsonLine('warn', { message }));
    }
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
    line(plain, fields) {
      // The reader has gone, so no one is going to read this.
      if (stream.destroyed) return;
      const text = jsonLevel === undefined ? plain : jsonLine(jsonLevel, fields?.() ?? { message: plain.trim() });
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
