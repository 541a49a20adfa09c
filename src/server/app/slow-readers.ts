// Disconnects clients that don't read their answers. An unread answer stays in memory until it is read or its connection is
// closed.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Patience {
  /** Milliseconds that a client may go without reading any of what is waiting for it. */
  readonly stalledMs: number;
  /** Bytes that may wait to be read, over all connections. */
  readonly mostWaiting: number;
}

const usual: Patience = { stalledMs: 60_000, mostWaiting: 256 * 1024 * 1024 };
/** Smaller answers fit into the buffers of the system and are gone immediately. */
const smallAnswer = 16 * 1024;

export class SlowReaders {
  /** Oldest first. */
  readonly #waiting = new Map<Socket, number>();
  #bytes = 0;
  readonly #patience: Patience;

  constructor(patience = usual) {
    this.#patience = patience;
  }

  /** Call before sending each answer, with its size in bytes. */
  watch(response: ServerResponse, bytes: number): void {
    const { socket } = response;
    const { stalledMs, mostWaiting } = this.#patience;
    // Pipelined answers behind the first have no socket yet, but their client must have read the one before.
    if (bytes < smallAnswer || socket === null) return;
    // Node.js closes the connection if nothing of what is waiting has been read since it last checked.
    socket.setTimeout(stalledMs);
    this.#leave(socket);
    this.#waiting.set(socket, bytes);
    this.#bytes += bytes;
    const leave = (): void => this.#leave(socket);
    response.once('close', leave).once('finish', () => {
      leave();
      // Node.js has already set its own timeout for the next request, unless that one is waiting for its answer.
      if (socket.timeout === stalledMs) socket.setTimeout(0);
    });
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= mostWaiting || oldest === socket) break;
      this.#leave(oldest);
      oldest.destroy();
    }
  }

  #leave(socket: Socket): void {
    this.#bytes -= this.#waiting.get(socket) ?? 0;
    this.#waiting.delete(socket);
  }
}
