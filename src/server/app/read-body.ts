// Collects the bodies of requests, each into one buffer, which is faster than a stream, and limits their total size. Lets no client take
// the event loop for itself: Node.js reads 64 KB of a connection at once, which is 10 ms of work if each byte is a chunk of its own. After
// such a read, all other connections wait, and then continue one per turn. The same read can contain a thousand requests, which begin a few
// per turn.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { turnNumber } from '../../../runtime/run/yield-queue.js';
import { ByteCollector } from '../../../runtime/services/body.js';

/**
 * `too large`, `no room`: the rest is still arriving. `gone`: the client disconnected or sent invalid HTTP, so no one is waiting for
 * an answer.
 */
type ReadBody = Buffer | 'too large' | 'no room' | 'gone';

/** Bytes that a refused client may still send. Closing immediately would reset the connection before it has read why. */
const MOST_DRAINED = 32 * 1024 * 1024;
/** Milliseconds without a byte after which a refused client has stopped sending. */
const PAUSE_MS = 1000;
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
    if (pieces === undefined) {
      pieces = new ByteCollector(limit);
      askWhenStopped(request);
    }
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

/**
 * Lets a request ask for more only if its socket has stopped and does not wait for its turn. Node.js lets it ask after each chunk; that would
 * resume a waiting socket, which pauses again, and takes longer than a chunk of one byte.
 */
function askWhenStopped(request: IncomingMessage): void {
  const { socket } = request;
  const ask = request._read;
  request._read = (size) => {
    if (socket.isPaused() && !waiting.has(socket)) ask.call(request, size);
  };
}

/** Whether a chunk is the whole body. Nothing can keep the block of memory that it is part of: the request ends before the next event. */
const isAll = (chunk: Buffer, { headers }: IncomingMessage): boolean => Number(headers['content-length']) === chunk.length;

/** Reads and discards the rest. Calls back at its end, or when the client pauses. Cuts off a client that never stops sending. */
export function drain(request: IncomingMessage, callback: () => void): void {
  let left = MOST_DRAINED;
  const pause = setTimeout(callback, PAUSE_MS);
  request.on('data', (chunk: Buffer) => {
    pause.refresh();
    if (left === MOST_DRAINED) askWhenStopped(request);
    left -= chunk.length + CHUNK_COST;
    if (left < 0) request.destroy();
    else countChunk(request.socket);
  });
  request.on('error', ignore).once('close', () => {
    clearTimeout(pause);
    callback();
  });
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

const open = new Set<Socket>();
const waiting = new Set<Socket>();
/** Readers that only have to make room, the newest last. It continues first: a short request must not wait for a crowd of uploads. */
const others: Socket[] = [];
/** Readers whose chunks have taken a whole turn, the one that has waited longest first. They continue when no others wait. */
const costly: Socket[] = [];

/** Makes this connection wait while another one takes long. Call for each new connection. */
export function shareTurns(socket: Socket): void {
  open.add(socket);
  socket.once('close', () => {
    open.delete(socket);
    waiting.delete(socket);
  });
}

/** Call when a connection has sent enough for one turn. */
export function endTurn(socket: Socket): void {
  wait(socket, costly);
  for (const other of open) wait(other, others);
}

function wait(socket: Socket, queue: Socket[]): void {
  if (waiting.has(socket)) return;
  if (waiting.size === 0) setImmediate(continueOne);
  waiting.add(socket);
  queue.push(socket);
  // Not the request, which would keep collecting what the socket reads. It resumes the socket whenever it can take more.
  socket.on('resume', pauseAgain);
  socket.pause();
}

function pauseAgain(this: Socket): void {
  this.pause();
}

function continueOne(): void {
  let socket: Socket | undefined;
  do socket = others.pop() ?? costly.shift();
  while (socket !== undefined && !waiting.delete(socket));
  socket?.off('resume', pauseAgain).resume();
  // In the next turn, when this one has been read.
  if (waiting.size > 0) setImmediate(continueOne);
}

/** Pipelined requests of all connections that begin in one turn. */
const MOST_PIPELINED = 32;

let begun = 0;
const later: (readonly [socket: Socket, begin: () => void])[] = [];
/** The number of requests of these connections that begin later. They read no more until then. */
const held = new Map<Socket, number>();

/** Begins a request whose connection has an unfinished one, in this turn or in a later one, in their order. */
export function beginPipelined(socket: Socket, begin: () => void): void {
  if (begun === 0 && later.length === 0) setImmediate(beginMore);
  if (begun < MOST_PIPELINED && later.length === 0) {
    begun++;
    begin();
    return;
  }
  later.push([socket, begin]);
  const before = held.get(socket) ?? 0;
  held.set(socket, before + 1);
  if (before > 0) return;
  socket.on('resume', pauseAgain);
  socket.pause();
}

function beginMore(): void {
  const now = later.splice(0, MOST_PIPELINED);
  begun = now.length;
  for (const [socket, begin] of now) {
    const left = (held.get(socket) ?? 1) - 1;
    if (left > 0) held.set(socket, left);
    else {
      held.delete(socket);
      socket.off('resume', pauseAgain).resume();
    }
    if (!socket.destroyed) begin();
  }
  if (begun > 0) setImmediate(beginMore);
}
