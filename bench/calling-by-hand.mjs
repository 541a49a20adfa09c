// The yardstick for a workflow with one call: the same work with node:http and undici.
//
// node calling-by-hand.mjs SERVICE
import { getJson, serveJson } from './json-server.mjs';

const [service] = process.argv.slice(2);

serveJson(async ({ id, kind }) => {
  const item = await getJson(`${service}/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`);
  return { id, price: item.price };
});
