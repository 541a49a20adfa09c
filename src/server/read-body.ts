// The body of a request comes in piece by piece, all its bytes go out. Read by hand: one list, one limit, no stream in between.
import type { IncomingMessage } from 'node:http';

/** `too large`: the rest is still coming. `gone`: the client has left, or sent what is no HTTP; nobody waits for an answer. */
export type ReadBody = Buffer | 'too large' | 'gone';

/** What a client may still send after it was refused. Closing at once would reset the connection before it has read why. */
const MOST_DRAINED = 32 * 1024 * 1024;

/**
 * Calls back once. No promise: it would take longer than the reading.
 * @param limit in bytes; a body of exactly so many is read
 */
export function readBody(request: IncomingMessage, limit: number, callback: (body: ReadBody) => void): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let size = 0;
  let over = false;
  const settle = (body: ReadBody): void => {
    if (over) return;
    over = true;
    // The request lives as long as its run; its bytes need not.
    first = rest = undefined;
    callback(body);
  };
  // Listeners stay: taking them off again would cost more than they do.
  request.on('data', (piece: Buffer) => {
    if (over) return;
    size += piece.length;
    if (size > limit) settle('too large');
    else if (first === undefined) first = piece;
    else if (rest === undefined) rest = [first, piece];
    else rest.push(piece);
  });
  request.on('end', () => settle(rest === undefined ? (first ?? NOTHING) : Buffer.concat(rest, size)));
  request.on('close', () => settle('gone'));
}

const NOTHING = Buffer.alloc(0);

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
