// The service that measured workflows call, in a separate process. `/item/…` answers immediately; `/hold/…` waits for `POST /release`; `GET
// /held` returns how many requests are waiting. It reads no more of a request than it needs: what it costs, the servers on the same
// processors cannot have.
import { createServer } from 'node:net';

const reply = (body) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: ${new Date().toUTCString()}\r\nContent-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n${body}`;
const answer = Buffer.from(reply(JSON.stringify({ price: 12.5, name: 'Lamp', stock: 7 })));
let held = [];
let holds = true;

function serve(socket, url) {
  if (url === '/held') {
    socket.write(reply(String(held.length)));
  } else if (url === '/release' || url === '/restart') {
    holds = url === '/restart';
    for (const one of held) one.write(answer);
    held = [];
    socket.write(reply(''));
  } else if (holds && url.startsWith('/hold/')) {
    held.push(socket);
  } else {
    socket.write(answer);
  }
}

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Where the body ends, whose head ends at `end`; beyond the text while a part of it is missing. */
function endOfBody(text, end) {
  const head = text.slice(0, end);
  if (!/transfer-encoding: *chunked/i.test(head)) return end + 4 + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const last = text.indexOf(LAST_CHUNK, end);
  return last === -1 ? Number.POSITIVE_INFINITY : last + LAST_CHUNK.length;
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  let text = '';
  socket.on('data', (data) => {
    text += data.latin1Slice();
    for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
      const [method, url] = text.slice(0, text.indexOf('\r\n')).split(' ');
      const next = method === 'GET' ? end + 4 : endOfBody(text, end);
      if (next > text.length) return;
      text = text.slice(next);
      serve(socket, url);
    }
  });
  socket.on('error', () => undefined);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(`http://127.0.0.1:${server.address().port}`));
