// Clients that request a lot and read nothing.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { type Patience, SlowReaders } from '../../src/server/app/answer.js';
import { listen } from '../../src/server/process/http-server.js';
import { until } from '../until.js';
import { attack } from './victim.js';

const big = 'x'.repeat(16 * 1024 * 1024);

/** A server that answers each request with 16 MB; `/slow` waits first. */
async function start(
  t: import('node:test').TestContext,
  patience: Patience,
  slowly: Promise<void> = Promise.resolve(),
): Promise<{ port: number; open: () => number; answered: () => number; timeout: () => number | undefined }> {
  let answered = 0;
  const readers = new SlowReaders(patience);
  const sockets = new Set<Socket>();
  const server = createServer({ keepAliveTimeout: 5_000 }, (request, response) => {
    const send = (): void => {
      answered++;
      readers.watch(response, big.length);
      response.end(big);
    };
    if (request.url === '/slow') void slowly.then(send);
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
  return { port, open: () => sockets.size, answered: () => answered, timeout: () => [...sockets][0]?.timeout };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('51. Disconnects a client that reads nothing', async (t) => {
  const { port, open } = await start(t, { stalledMs: 200, mostWaiting: 1e9 });
  attack(t, port, get('/')).socket.pause();
  await until(() => open() === 1);
  await until(() => open() === 0);
});

test('51. Keeps a client that reads slowly', async (t) => {
  const stalledMs = 600;
  for (;;) {
    const { port } = await start(t, { stalledMs, mostWaiting: 1e9 });
    const { socket, closed } = attack(t, port, get('/'));
    const began = performance.now();
    let [bytes, last, longestGap] = [0, began, 0];
    socket.on('data', (data) => {
      bytes += data.length;
      longestGap = Math.max(longestGap, performance.now() - last);
      last = performance.now();
      socket.pause();
      // Slow enough for the whole to take longer than a stalled client gets.
      setTimeout(() => socket.resume(), 5);
    });
    const isWhole = await Promise.race([until(() => bytes > big.length).then(() => true), closed.then(() => false)]);
    const took = performance.now() - began;
    // A busy machine may have stalled this process, and with it the client. That says nothing.
    if (!isWhole && longestGap + (performance.now() - last) > stalledMs / 2) continue;
    assert.ok(isWhole, `closed after ${bytes} bytes, without a gap of more than ${longestGap} ms`);
    if (took > stalledMs) return;
  }
});

test('51. The timeout of one answer does not end the wait for the next', async (t) => {
  let answer = (): void => undefined;
  const slowly = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { port, timeout } = await start(t, { stalledMs: 60_000, mostWaiting: 1e9 }, slowly);
  const { socket } = attack(t, port, get('/'), get('/slow'));
  let bytes = 0;
  socket.on('data', (data) => {
    bytes += data.length;
  });
  await until(() => bytes > big.length && timeout() === 0);
  answer();
  await until(() => bytes > 2 * big.length);
});

test('51. Limits the total of unread answers', async (t) => {
  const { port, open, answered } = await start(t, { stalledMs: 60_000, mostWaiting: 3 * big.length });
  const clients = Array.from({ length: 8 }, () => attack(t, port, get('/')));
  for (const { socket } of clients) socket.pause();
  // Before that, three could be open because no more have connected.
  await until(() => answered() === 8);
  await until(() => open() === 3);
});
