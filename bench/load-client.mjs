// A closed-loop load generator over plain sockets, run as a separate process. Each connection sends its next request when it has received
// the whole answer. Prints one line of JSON: requests per second and latencies in milliseconds. It is much lighter than the servers, so
// that it doesn't limit the result.
//
// node load-client.mjs PORT CONNECTIONS MILLISECONDS PATH BODY EXPECTED
import { connect } from 'node:net';

const [port, connections, duration, path, body, expected] = process.argv.slice(2);
const message = Buffer.from(
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);
const latencies = [];
let wrong = 0;
let left = Number(connections);
const start = performance.now();
const end = start + Number(duration);

function oneConnection() {
  const socket = connect(Number(port), '127.0.0.1');
  socket.setNoDelay(true);
  let sent = 0;
  let text = '';
  const send = () => {
    sent = performance.now();
    socket.write(message);
  };
  socket.on('connect', () => {
    send();
  });
  socket.on('data', (data) => {
    text += data.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
    if (text.length < head + 4 + length) return;
    const now = performance.now();
    latencies.push(now - sent);
    if (!text.startsWith('HTTP/1.1 200') || !text.includes(expected)) wrong++;
    text = '';
    if (now < end) send();
    else socket.destroy();
  });
  socket.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  socket.on('close', () => {
    if (--left === 0) report();
  });
}

function report() {
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  console.log(JSON.stringify({ perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99), wrong }));
}

for (let index = 0; index < Number(connections); index++) oneConnection();
