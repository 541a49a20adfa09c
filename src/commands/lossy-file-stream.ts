// Standard output or standard error of a server or schedule, redirected to a file. While the disk is full, lines are lost; the streams of
// Node.js would stop for good at the first one.
import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/**
 * Returns `undefined` for terminals and pipes: the streams of Node.js suit those.
 * @param onLost called with the reason each time lines begin to be lost
 */
export function lossyFileStream(file: number, onLost: (reason: unknown) => void): Writable | undefined {
  if (!isKeptInFile(file)) return undefined;
  let isLosing = false;
  return new Writable({
    // Synchronous, as file writes in Node.js are, too.
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
