// The yardstick for a workflow with one call: the same work with node:http and undici.
//
// node calling-by-hand.mjs SERVICE
import { createServer } from 'node:http';
import { request as send } from 'undici';

const [service] = process.argv.slice(2);

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    try {
      const { id, kind } = JSON.parse(Buffer.concat(parts).toString());
      const { statusCode, body } = await send(`${service}/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`, {
        headers: { Accept: 'application/json' },
      });
      if (statusCode !== 200) throw new Error(`The service answered ${statusCode}`);
      const item = await body.json();
      reply(response, 200, { status: 'completed', outputs: { id, price: item.price } });
    } catch (error) {
      reply(response, 500, { status: 'error', message: error.message });
    }
  });
});

function reply(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
