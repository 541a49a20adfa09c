// The body of a request comes in piece by piece, all its bytes go out. Read by hand: one list, one limit, no stream in between.
import type { IncomingMessage } from 'node:http';

/** `too large`: the rest is still coming. `gone`: the client has left, or sent what is no HTTP; nobody waits for an answer. */
export type ReadBody = Buffer | 'too large' | 'gone';

/** What a client may still send after it was refused. Closing at once would reset the connection before it has read why. */
const MOST_DRAINED = 32 * 1024 * 1024;

/** @param limit in bytes; a body of exactly so many is read */
export function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const settle = (result: ReadBody): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      // A request that breaks off later would otherwise have nobody to tell.
      if (result !== 'gone' && !request.complete) request.on('error', ignore);
      resolve(result);
    };
    const onData = (piece: Buffer): void => {
      size += piece.length;
      if (size > limit) settle('too large');
      else pieces.push(piece);
    };
    const onEnd = (): void => settle(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces, size));
    const onClose = (): void => settle('gone');
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Reads on without keeping anything; a client that sends without an end is cut off. */
export function drain(request: IncomingMessage): void {
  let left = MOST_DRAINED;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) request.destroy();
  });
  request.on('error', ignore);
  request.resume();
}

const ignore = (): void => {};
