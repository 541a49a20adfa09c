// Lets no client take the event loop for itself. Node.js reads 64 KB of a connection at once, which is 20 ms of work if each byte is a
// chunk of its own. After such a read, all other connections wait, and then continue one per turn. The same read can contain a thousand
// requests, which begin a few per turn.
import type { Socket } from 'node:net';

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
