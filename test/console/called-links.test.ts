// Between a run and those that it has called, everyone finds the way: over HTTP by ids, and in the console by links.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post, send } from '../server/test-server.js';
import { calledScene } from './called-scene.js';
import { webClient } from './web-client.js';

interface Run {
  readonly run: string;
  readonly parent?: string;
  readonly workflow: string;
  readonly status: string;
  readonly log?: readonly { readonly message?: string }[];
  readonly request?: unknown;
}

test('over HTTP: the runs that a run has called, one level at a time, each with the run that called it', async (t) => {
  const { server, run } = await calledScene(t);
  const get = async (address: string): Promise<Run & { readonly runs: readonly Run[]; readonly next?: string }> =>
    (await send(`${server.url}${address}`)).json as Run & { readonly runs: readonly Run[] }; // every answer is a record
  const [first, ...more] = (await get('/runs')).runs;
  assert.deepEqual([first?.run, first?.parent, more], [run, undefined, []], 'only what someone started');
  const [price, ...others] = (await get(`/runs?parent=${run}`)).runs;
  assert.deepEqual([price?.workflow, price?.parent, price?.status, others], ['price', run, 'completed', []]);
  const [discount] = (await get(`/runs?parent=${price?.run}`)).runs;
  assert.deepEqual([discount?.workflow, discount?.parent], ['discount', price?.run]);
  assert.deepEqual((await get(`/runs?parent=${discount?.run}`)).runs, []);
  const shown = await get(`/runs/${discount?.run}`);
  assert.deepEqual([shown.parent, shown.request], [price?.run, { n: 7 }]);
  assert.deepEqual(
    shown.log?.map(({ message }) => message),
    ['a discount for 7'],
  );
  assert.equal((await get(`/runs/${run}`)).parent, undefined);
  assert.deepEqual((await get(`/runs?parent=${run}&workflow=other`)).runs, []);
  assert.deepEqual((await get(`/runs?parent=${run}&status=waiting`)).runs, []);
  assert.equal((await send(`${server.url}/runs?parent=nobody`)).status, 400);
  const refused = await post(`${server.url}/runs/${price?.run}/rerun`, {});
  assert.deepEqual([refused.status, refused.text.includes(run)], [409, true], 'the whole run is the one to run again');
});

test('in the console: the filter finds runs of called workflows, and their workflow stays in the form', async (t) => {
  const { server, run } = await calledScene(t);
  const client = webClient(server.url);
  const list = async (query: string): Promise<string[]> => {
    const { text } = await client.get(`/console?${query}`);
    assert.match(text, /<option value="discount"/);
    return [...text.matchAll(/<tr id="r([^"]+)"/g)].map(([, id]) => id ?? '');
  };
  const [discount, ...others] = await list('workflow=discount');
  assert.ok(discount !== undefined && discount !== run && others.length === 0);
  assert.match((await client.get(`/console/runs/${discount}`)).text, /<h1>The discount/);
  assert.deepEqual(await list('workflow=discount&status=completed&since=1h&q=7'), [discount]);
  for (const other of ['status=error', 'q=nothing', 'until=2020-01-01', `cursor=${discount}`])
    assert.deepEqual(await list(`workflow=discount&${other}`), []);
  assert.deepEqual(await list('workflow=main'), [run]);
});

test('in the console: a call links to its run, and that one back', async (t) => {
  const { server, run } = await calledScene(t);
  const client = webClient(server.url);
  const linkIn = (page: string, after: string): string | undefined =>
    new RegExp(`${after}[^]*?href="(/console/runs/[0-9a-f-]{36})"`).exec(page)?.[1];
  const main = (await client.get(`/console/runs/${run}`)).text;
  const price = linkIn(main, 'class="effect call') ?? assert.fail('the call is no link');
  const shown = (await client.get(price)).text;
  assert.match(shown, new RegExp(`<a href="/console/runs/${run}">The run that called it</a> / The price`));
  const discount = linkIn(shown, 'class="effect call') ?? assert.fail('the call inside is no link');
  assert.ok((await client.get(discount)).text.includes(`href="${price}"`));
});

test('in the console: the calls and versions of a workflow include called workflows, and the runs that others have called', async (t) => {
  const { server } = await calledScene(t);
  const client = webClient(server.url);
  const page = async (address: string): Promise<string> => (await client.get(`/console/workflows/${address}`)).text;
  const words = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const calls = await page('main/calls');
  assert.match(words(calls), / 11 Price: get price 1 0 /);
  // The text is on another page than the table, unless that has been opened there.
  assert.match(calls, /<a href="\/console\/workflows\/main#L11">11</);
  assert.match(words(await page('price/calls')), / Discount: get price 1 0 .* Of the newest run, /);
  assert.match(words(await page('price/versions')), /v1 [0-9a-f]{12} .*UTC 1 0 /);
  for (const [name, note] of [
    ['price', 'No runs in the last 24 hours, apart from those that other workflows have called.'],
    ['main', 'Last 24 hours: 1 run'],
  ] as const)
    assert.ok(words(await page(name)).includes(note), name);
  assert.match(words(await page('price')), /No run of this text has ended in the last 30 days, apart from those/);
  assert.match(words((await client.get('/console/workflows')).text), /No runs in the last 24 hours, apart from those/);
});
