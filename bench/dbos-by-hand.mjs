// The yardstick for a run with one call on PostgreSQL: the same work with node:http, undici and DBOS's own API. It answers requests as `wf
// serve` does, and knows nothing of leases, runs that wait, or what a run did.
//
// node dbos-by-hand.mjs SERVICE DATABASE NAME
import { createServer } from 'node:http';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { request as send } from 'undici';

const [service, systemDatabaseUrl, executorID] = process.argv.slice(2);
const silent = () => undefined;

async function itemOf(id) {
  const { statusCode, body } = await send(`${service}/item/${encodeURIComponent(id)}-0`, {
    headers: { Accept: 'application/json' },
  });
  if (statusCode !== 200) throw new Error(`The service answered ${statusCode}`);
  return body.json();
}

const run = DBOS.registerWorkflow(
  async ({ id }) => {
    await DBOS.runStep(() => itemOf(id), { name: 'get item' });
    return { id, calls: 1 };
  },
  { name: 'calls' },
);

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    try {
      const handle = await DBOS.startWorkflow(run)(JSON.parse(Buffer.concat(parts).toString()));
      reply(response, 200, { status: 'completed', outputs: await handle.getResult() });
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

DBOS.setConfig({
  ...{ name: 'hand', systemDatabaseUrl, executorID, systemDatabasePoolSize: 16, useListenNotify: false, listenQueues: [] },
  logger: { info: silent, debug: silent, warn: silent, error: console.error },
});
await DBOS.launch();
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
