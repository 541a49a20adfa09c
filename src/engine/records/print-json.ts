// `--log-format json`: everything that the process prints becomes JSON lines, also what plugins print with `console`.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { Io } from '../io.js';
import { jsonOutput } from './printer.js';

export function printJson(io: Io): void {
  if (io.printThrough === undefined) return;
  io.printThrough(jsonOutput);
  const through = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        io[name].write(text);
        done();
      },
    });
  globalThis.console = new Console({ stdout: through('stdout'), stderr: through('stderr') });
}
