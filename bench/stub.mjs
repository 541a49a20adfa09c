// The service that measured workflows call, in a separate process. `/item/…` answers immediately; `/hold/…` waits for `POST /release`; `GET
// /held` returns how many requests are waiting.
import { createServer } from 'node:http';

const answer = JSON.stringify({ price: 12.5, name: 'Lamp', stock: 7 });
const headers = { 'Content-Type': 'application/json', 'Content-Length': answer.length };
let held = [];
let holds = true;

const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  request.resume();
  if (request.url === '/held') {
    response.end(String(held.length));
  } else if (request.url === '/release' || request.url === '/restart') {
    holds = request.url === '/restart';
    for (const one of held) one.writeHead(200, headers).end(answer);
    held = [];
    response.end();
  } else if (holds && request.url.startsWith('/hold/')) {
    held.push(response);
  } else {
    response.writeHead(200, headers).end(answer);
  }
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(`http://127.0.0.1:${server.address().port}`));
