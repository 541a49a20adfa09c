// Collects the bodies of requests, each into one buffer, and limits their total size. Faster than a stream.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { turnNumber } from '../../../runtime/run/yield-queue.js';
import { ByteCollector } from '../../../runtime/services/byte-collector.js';
import { endTurn } from './reading-turns.js';

/**
 * `too large`, `no room`: the rest is still arriving. `gone`: the client disconnected or sent invalid HTTP, so no one is waiting for
 * an answer.
 */
type ReadBody = Buffer | 'too large' | 'no room' | 'gone';

/** Bytes that a refused client may still send. Closing immediately would reset the connection before it has read why. */
const MOST_DRAINED = 32 * 1024 * 1024;
/** The memory cost of a chunk besides its bytes, in bytes. */
const CHUNK_COST = 128;

/**
 * Calls back once. Not a promise, which would take longer than the reading itself.
 * @param limit in bytes; a body of exactly this size is accepted
 */
export function readBody(request: IncomingMessage, limit: number, room: BodyRoom, callback: (body: ReadBody) => void): void {
  let whole: Buffer | undefined;
  let pieces: ByteCollector | undefined;
  let taken = 0;
  let over = false;
  const settle = (end: Exclude<ReadBody, Buffer> | 'whole'): void => {
    over = true;
    room.leave(taken);
    // Always taken: the request lives as long as its run, but its bytes need not.
    const body = whole ?? pieces?.take() ?? NOTHING;
    whole = undefined;
    callback(end === 'whole' ? body : end);
  };
  // The listeners stay attached; removing them would cost more.
  request.on('data', (chunk: Buffer) => {
    if (over) return;
    const size = taken + chunk.length;
    if (size > limit) return settle('too large');
    if (!room.grow(taken, size)) return settle('no room');
    taken = size;
    if (isAll(chunk, request)) {
      whole = chunk;
      return;
    }
    pieces ??= new ByteCollector(limit);
    pieces.add(chunk);
    countChunk(request.socket);
  });
  request.on('end', () => {
    if (!over) settle('whole');
  });
  request.on('close', () => {
    if (!over) settle('gone');
  });
}

const NOTHING = Buffer.alloc(0);

/** Whether a chunk is the whole body. Nothing can keep the block of memory that it is part of: the request ends before the next event. */
const isAll = (chunk: Buffer, { headers }: IncomingMessage): boolean => Number(headers['content-length']) === chunk.length;

/** Reads and discards the rest. Cuts off a client that never stops sending. */
export function drain(request: IncomingMessage): void {
  let left = MOST_DRAINED;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length + CHUNK_COST;
    if (left < 0) request.destroy();
    else countChunk(request.socket);
  });
  request.on('error', ignore);
  request.resume();
}

const ignore = (): void => {};

/** Chunks of all clients in one turn of the event loop: a client may send each byte as a separate chunk, a million at once. */
const MOST_CHUNKS = 512;

let chunks = 0;
let turn = 0;

/** Call for each chunk. Of the clients that send very many, one has its turn at a time. */
function countChunk(socket: Socket): void {
  const now = turnNumber();
  chunks = turn === now ? chunks + 1 : 1;
  turn = now;
  if (chunks % MOST_CHUNKS === 0) endTurn(socket);
}

/**
 * Bytes that each body may have without counting. Small requests always get through, so blocking the server would take one
 * connection per large body.
 */
const free = 16 * 1024;
/** Bytes that all bodies together may have in any case. */
const least = 64 * 1024 * 1024;
/** The number of bodies of the maximum size that always fit. */
const leastBodies = 4;
/** The part of the heap that the requests of all runs in progress may take up together. */
const partOfHeap = 4;

/** Limits bodies, all together: in bytes while they arrive, and in memory as long as their runs are in progress. */
export class BodyRoom {
  #left: number;
  #memory = 0;
  readonly #mostMemory: number;

  /** @param maxBody maximum size of a body in bytes */
  constructor(maxBody: number, heap = getHeapStatistics().heap_size_limit) {
    this.#left = Math.max(least, leastBodies * maxBody);
    this.#mostMemory = heap / partOfHeap;
  }

  /** Whether a body of `before` bytes may grow to `after`. Return what it took once, with `leave`. */
  grow(before: number, after: number): boolean {
    const more = beyondFree(after) - beyondFree(before);
    if (more > this.#left) return false;
    this.#left -= more;
    return true;
  }

  /** Returns the bytes of a body that is complete or abandoned. */
  leave(bytes: number): void {
    this.#left += beyondFree(bytes);
  }

  /** Whether a run whose request takes up this much may begin: alone, each may. Call `release` at its end. */
  hold(memory: number): boolean {
    if (memory > 0 && this.#memory > 0 && this.#memory + memory > this.#mostMemory) return false;
    this.#memory += memory;
    return true;
  }

  release(memory: number): void {
    this.#memory -= memory;
  }
}

const beyondFree = (bytes: number): number => Math.max(0, bytes - free);
