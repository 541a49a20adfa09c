// Lets no client take the event loop for itself. Node.js reads 64 KB of a connection at once, which is 20 ms of work if each byte is a
// chunk of its own. After such a read, all other connections wait, and then continue one per turn.
import type { Socket } from 'node:net';

const open = new Set<Socket>();
const waiting = new Set<Socket>();
/** Those that only have to make room, the newest last. It continues first: a short request must not wait for a crowd of uploads. */
const others: Socket[] = [];
/** Those whose chunks have taken a whole turn, the one that has waited longest first. They continue when no others wait. */
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
