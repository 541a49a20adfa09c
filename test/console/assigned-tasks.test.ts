// Who has a question: taken by whoever is named by a token or a proxy, assigned, given back, and open for the next one who is free.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleFor } from './console-server.js';
import { addTasks } from './sample-store.js';
import { webClient } from './web-client.js';

/** The card of a task, and whether it is open. */
const card = (page: string, id: string): string =>
  new RegExp(`<details class="card task" id="t${id}".*?</details>`, 's').exec(page)?.[0] ?? '';

test('a question is taken, shown as theirs, assigned and given back', async (t) => {
  const { store, url } = await consoleFor(t, { access: { userHeader: 'X-User' } });
  addTasks(store);
  const client = webClient(url);
  const [ada, bo] = [{ 'X-User': 'ada@example.com' }, { 'X-User': 'bo@example.com' }];
  const page = async (user: Record<string, string>): Promise<string> => (await client.get('/console/tasks', user)).text;
  assert.match(card(await page(ada), 't-1'), /data-v="[^"]*" open>[\s\S]*Take it/);
  const take = { to: 'ada@example.com', take: '1' };
  const taken = await client.post('/console/tasks/t-1/assign', take, ada);
  assert.deepEqual([taken.status, taken.headers.get('location')], [303, '/console/tasks?did=assign#tt-1']);
  assert.match(card(await page(ada), 't-1'), / open>[\s\S]*You have this question\.[\s\S]*Give it back/);
  const seen = await page(bo);
  assert.match(card(seen, 't-1'), /taken by <bdi>ada@example\.com<\/bdi>/);
  assert.doesNotMatch(card(seen, 't-1'), /"\s+open>|Take it/);
  assert.match(card(seen, 't-2'), /" open>/, 'the first that is free is open');
  const late = await client.post('/console/tasks/t-1/assign', { to: 'bo@example.com', take: '1' }, bo);
  const told = late.headers.get('location') ?? '';
  assert.match(
    (await client.get(told.replace(/#.*/, ''), bo)).text,
    /role="alert"[^>]*>ada@example\.com has this question now\./,
  );
  assert.match(told, /#tt-1$/);
  assert.doesNotMatch(
    (await client.get(told.replace(/ada|#.*/g, 'eve'), bo)).text,
    /eve/,
    'nobody else makes the console say something',
  );
  assert.equal((await client.post('/console/tasks/t-1/assign', { to: ' Grace ' }, bo)).status, 303);
  assert.equal(store.openTasks.get('t-1')?.assignee, 'Grace');
  assert.equal((await client.post('/console/tasks/t-1/assign', { to: '' }, bo)).status, 303);
  assert.equal(store.openTasks.get('t-1')?.assignee, undefined);
  assert.equal((await client.post('/console/tasks/none/assign', { to: 'x' }, bo)).status, 404);
});
