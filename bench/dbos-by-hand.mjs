// The yardstick for a run with one call on PostgreSQL: the same work with node:http, undici and DBOS's own API. It answers requests as `wf
// serve` does, and knows nothing of leases, runs that wait, or what a run did.
//
// node dbos-by-hand.mjs SERVICE DATABASE NAME
import { DBOS } from '@dbos-inc/dbos-sdk';
import { getJson, serveJson } from './json-server.mjs';

const [service, systemDatabaseUrl, executorID] = process.argv.slice(2);
const silent = () => undefined;

const run = DBOS.registerWorkflow(
  async ({ id }) => {
    await DBOS.runStep(() => getJson(`${service}/item/${encodeURIComponent(id)}-0`), { name: 'get item' });
    return { id, calls: 1 };
  },
  { name: 'calls' },
);

DBOS.setConfig({
  name: 'hand',
  systemDatabaseUrl,
  executorID,
  systemDatabasePoolSize: 16,
  useListenNotify: false,
  listenQueues: [],
  logger: { info: silent, debug: silent, warn: silent, error: console.error },
});
await DBOS.launch();
serveJson(async (request) => {
  const handle = await DBOS.startWorkflow(run)(request);
  return handle.getResult();
});
