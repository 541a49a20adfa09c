// Standard output and standard error of servers and schedules, where they go to a file: a disk that is full for a while costs the lines of
// that while. The stream of Node.js ends for ever at the first of them.
import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/**
 * `undefined` for terminals and pipes, which Node.js has good streams for.
 * @param onLost told the reason, once for each time that lines begin to be lost
 */
export function lastingStream(file: number, onLost: (reason: unknown) => void): Writable | undefined {
  if (!isKeptInFile(file)) return undefined;
  let isLosing = false;
  return new Writable({
    // At once, as Node.js writes to files too.
    write(bytes: Buffer, _encoding, done) {
      try {
        for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
        isLosing = false;
      } catch (error) {
        if (!isLosing) onLost(error);
        isLosing = true;
      }
      done();
    },
  });
}

function isKeptInFile(file: number): boolean {
  try {
    const stats = fstatSync(file);
    return stats.isFile() || (stats.isCharacterDevice() && !isatty(file));
  } catch {
    return false;
  }
}
