// Clients that request a lot and read nothing.
import { createServer } from 'node:http';
import { test } from 'node:test';
import { type Patience, SlowReaders } from '../../src/server/app/slow-readers.js';
import { listen } from '../../src/server/process/http-server.js';
import { until } from '../until.js';
import { attack } from './victim.js';

const big = 'x'.repeat(16 * 1024 * 1024);

/** A server that answers each request with 16 MB; `/slow` waits `waitMs` first. */
async function start(
  t: import('node:test').TestContext,
  patience: Patience,
  waitMs = 0,
): Promise<{ port: number; open: () => number; answered: () => number }> {
  let answered = 0;
  const readers = new SlowReaders(patience);
  const sockets = new Set<object>();
  const server = createServer({ keepAliveTimeout: 5_000 }, (request, response) => {
    const send = (): void => {
      answered++;
      readers.watch(response, big.length);
      response.end(big);
    };
    if (request.url === '/slow') setTimeout(send, waitMs);
    else send();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server, 0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, open: () => sockets.size, answered: () => answered };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('51. Disconnects a client that reads nothing', async (t) => {
  const { port, open } = await start(t, { stalledMs: 200, mostWaiting: 1e9 });
  attack(t, port, get('/')).socket.pause();
  await until(() => open() === 1);
  await until(() => open() === 0);
});

test('51. Keeps a client that reads slowly', async (t) => {
  const { port } = await start(t, { stalledMs: 600, mostWaiting: 1e9 });
  const { socket } = attack(t, port, get('/'));
  let bytes = 0;
  socket.on('data', (data) => {
    bytes += data.length;
    socket.pause();
    setTimeout(() => socket.resume(), 1);
  });
  await until(() => bytes > big.length);
});

test('51. The timeout of one answer does not end the wait for the next', async (t) => {
  const { port } = await start(t, { stalledMs: 200, mostWaiting: 1e9 }, 700);
  const { socket } = attack(t, port, get('/'), get('/slow'));
  let bytes = 0;
  socket.on('data', (data) => {
    bytes += data.length;
  });
  const ended = new Promise((_, reject) => socket.once('close', () => reject(new Error(`closed after ${bytes} bytes`))));
  await Promise.race([until(() => bytes > 2 * big.length), ended]);
});

test('51. Limits the total of unread answers', async (t) => {
  const { port, open, answered } = await start(t, { stalledMs: 60_000, mostWaiting: 3 * big.length });
  const clients = Array.from({ length: 8 }, () => attack(t, port, get('/')));
  for (const { socket } of clients) socket.pause();
  // Before that, three could be open because no more have connected.
  await until(() => answered() === 8);
  await until(() => open() === 3);
});
