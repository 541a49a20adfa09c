// What the yardsticks written by hand share: a server that answers each POST with JSON, on a free port that it prints, and a client.
import { createServer } from 'node:http';
import { request as send } from 'undici';

/** @param outputsOf takes the value in the body of a request */
export function serveJson(outputsOf) {
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', async () => {
      try {
        const outputs = await outputsOf(JSON.parse(Buffer.concat(parts).toString()));
        reply(response, 200, { status: 'completed', outputs });
      } catch (error) {
        reply(response, 500, { status: 'error', message: error.message });
      }
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
}

function reply(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

export async function getJson(address) {
  const { statusCode, body } = await send(address, { headers: { Accept: 'application/json' } });
  if (statusCode !== 200) throw new Error(`The service answered ${statusCode}`);
  return body.json();
}
