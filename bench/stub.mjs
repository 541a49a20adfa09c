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

const server = createServer((socket) => {
  socket.setNoDelay(true);
  let text = '';
  socket.on('data', (data) => {
    text += data.latin1Slice();
    for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
      const [method, url] = text.slice(0, text.indexOf('\r\n')).split(' ');
      const length = method === 'GET' ? 0 : Number(/content-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      text = text.slice(end + 4 + length);
      serve(socket, url);
    }
  });
  socket.on('error', () => undefined);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(`http://127.0.0.1:${server.address().port}`));
