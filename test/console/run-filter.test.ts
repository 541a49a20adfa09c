// The list of runs: its filter is kept in the form, other orders, and causes with all that failed alike.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { sinceTimeOfDay } from '../../src/console/pages/runs/run-filter.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { post } from '../server/test-server.js';
import { startConsole } from './console-server.js';
import { createFakeStore } from './fake-store.js';
import { addSample } from './sample-runs.js';
import { fullStore } from './sample-store.js';
import { storedConsole } from './stored-console.js';
import { type WebClient, webClient } from './web-client.js';

const text = `config:
    name: "Order"
    version: 1

workflow:
    trigger: t

    if request.n is above 2:
        set x to request.name minus 1
    complete with n request.n
`;

/** A console with four runs: the first two completed, the others failed alike. */
async function fourRuns(t: TestContext): Promise<{ readonly client: WebClient; readonly ids: readonly string[] }> {
  const { server } = await storedConsole(t, 'order.wf', (folder) => writeFileSync(path.join(folder, 'order.wf'), text));
  const ids: string[] = [];
  for (let n = 1; n <= 4; n++) ids.push((await post(`${server.url}/order`, { n, name: 'Ada' })).headers.get('x-run-id') ?? '');
  return { client: webClient(server.url), ids };
}

const idsIn = (page: string): string[] => [...page.matchAll(/<tr id="r([^"]+)"/g)].map(([, id]) => id ?? '');

test('the list is sorted as the address says, and the form keeps all of the address', async (t) => {
  const { client, ids } = await fourRuns(t);
  const oldest = await client.get('/console?sort=oldest&since=36h&q=Ada&workflow=order&waiting=');
  assert.deepEqual(idsIn(oldest.text), ids);
  const form = /<form class="filter".*?<\/form>/s.exec(oldest.text)?.[0] ?? '';
  for (const kept of [
    '<option value="36h" selected>Since 36h',
    'value="oldest" selected',
    'value="order" selected',
    'value="Ada"',
  ])
    assert.ok(form.includes(kept), `${kept} in ${form}`);
  assert.deepEqual(idsIn((await client.get('/console')).text), [...ids].reverse());
  assert.deepEqual(idsIn((await client.get('/console?until=1h')).text), [], 'none is older than an hour');
  assert.match(oldest.text, /id="count">4 runs: <bdi>[^<]+<\/bdi> · <bdi>since 36h<\/bdi> · <bdi>“Ada”<\/bdi></);
  const exact = (await client.get('/console?since=2020-01-01T08:00:00.000Z')).text;
  assert.match(exact, /<bdi>since <time datetime="2020-01-01T08:00:00.000Z">1 Jan 2020, 08:00:00 UTC<\/time><\/bdi>/);
  const waiting = (await client.get('/console?waiting=1h&until=3h')).text;
  assert.match(waiting, /matches this filter: <bdi>older than 3h<\/bdi> · <bdi>waiting for longer than 1 hour<\/bdi>\./);
  assert.deepEqual(idsIn(waiting), []);
  assert.match(waiting, /<details class="more" open>.*value="3h" selected>.*value="1h" selected>/s);
});

test('a filter is saved under a name, which is its address, and removed again', async (t) => {
  const { client, ids } = await fourRuns(t);
  assert.doesNotMatch((await client.get('/console')).text, /Save this view|aria-label="Saved views"/, 'all runs need no view');
  const failed = await client.get('/console?status=error&sort=oldest&q=Ada');
  const query = /name="query" value="([^"]*)"/.exec(failed.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const name = '<b>Ada\u202e failed</b>';
  const saved = await client.post('/console/views', { name, query: `${query}&cursor=x&unknown=1` });
  assert.deepEqual([saved.status, saved.headers.get('location')], [303, `/console?view=${encodeURIComponent(name)}&did=view`]);
  const { text } = await client.get(saved.headers.get('location') ?? '');
  assert.deepEqual(idsIn(text), [ids[2], ids[3]]);
  assert.match(text, /aria-current="page"><bdi>&lt;b&gt;Ada\[U\+202E\] failed&lt;\/b&gt;<\/bdi>/);
  assert.match(text, /value="error" selected/);
  assert.doesNotMatch(text, /Save this view|<b>Ada/);
  assert.match((await client.get('/console')).text, /Ada\[U\+202E\] failed/, 'for everyone, on each list');
  const nameless = (await client.post('/console/views', { name: ' ', query })).headers.get('location') ?? '';
  assert.match((await client.get(nameless)).text, /role="alert"[^>]*>A view needs a name\./);
  const removed = await client.post('/console/views', { name, remove: '1' });
  assert.equal(removed.headers.get('location'), '/console?did=view-removed');
  assert.match((await client.get(saved.headers.get('location') ?? '')).text, /There is no saved view called <bdi>/);
});

test('the runs of a version are found by the list, and the page of a workflow leads to them', async (t) => {
  const { client, ids } = await fourRuns(t);
  assert.deepEqual(idsIn((await client.get('/console?workflow=order&version=1')).text), [...ids].reverse());
  assert.deepEqual(idsIn((await client.get('/console?version=2')).text), []);
  const versions = (await client.get('/console/workflows/order/versions')).text;
  const address = /href="(\/console\?workflow=order&amp;version=[0-9a-f]{12,})">4</.exec(versions)?.[1] ?? '';
  assert.deepEqual(idsIn((await client.get(address.replaceAll('&amp;', '&'))).text), [...ids].reverse());
});

test('versions with the same text are one, whichever version of wf has compiled them, and the list finds the runs of all of them', async (t) => {
  const file = (folder: string): string => path.join(folder, 'order.wf');
  let home = '';
  const { server, store } = await storedConsole(t, 'order.wf', (folder) => {
    home = folder;
    mkdirSync(path.join(folder, 'later'));
    for (const one of [folder, path.join(folder, 'later')]) writeFileSync(file(one), text);
  });
  // Another folder makes another version of it, as another version of wf does.
  const later = await prepare('later/order.wf', { cwd: home, env: { HOME: home, WF_CACHE: 'off' } });
  assert.ok(later.ok, JSON.stringify(later));
  const client = webClient(server.url);
  await post(`${server.url}/order`, { n: 1 });
  const started = await store.start({ prepared: later.prepared, request: { n: 2 }, respondAsync: true });
  assert.equal(started.kind, 'started');
  await store.settled(started.run, 'ended', 60_000);
  assert.equal((await store.versionsOf('order')).length, 2);
  const versions = (await client.get('/console/workflows/order/versions')).text;
  assert.equal(versions.match(/<tr><td>/g)?.length, 1, versions);
  const address = /href="(\/console\?workflow=order&amp;version=[^"]+)">2</.exec(versions)?.[1] ?? '';
  assert.equal(idsIn((await client.get(address.replaceAll('&amp;', '&'))).text).length, 2);
  const page = /href="(\/console\/workflows\/order\/versions\/[^"]+)"/.exec(versions)?.[1] ?? '';
  assert.equal((await client.get(page)).text.match(/<li><a href="\/console\/runs\//g)?.length, 2);
});

test('causes count the runs that failed alike, lead to them, and change all of them', async (t) => {
  const { client, ids } = await fourRuns(t);
  assert.doesNotMatch((await client.get('/console')).text, /id="causes"/);
  const failed = (await client.get('/console?status=error&since=1h')).text;
  assert.match(
    failed,
    /name="back" value="since=1h&amp;status=error&amp;reason=[^"]+"><input type="hidden" name="all" value="1"><button name="do" value="rerun" aria-label="Rerun all 2 of this cause">/,
  );
  const [, address = '', words] = /<li><a href="([^"]+)">(2 × <bdi>[^<]+)</.exec(failed) ?? [];
  assert.match(words ?? '', /minus/);
  const cause = (await client.get(address.replaceAll('&amp;', '&'))).text;
  assert.deepEqual(idsIn(cause), [ids[3], ids[2]]);
  assert.match((await client.get('/console?by=reason')).text, /2 × <bdi>/);
  const back = /name="back" value="([^"]*)"/.exec(cause)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const question = await client.post('/console/runs', { all: '1', do: 'rerun', back });
  assert.equal(question.status, 303, 'going back from it sends nothing again');
  const asked = (await client.get(question.headers.get('location') ?? '')).text;
  assert.match(asked, /Rerun 2 runs\?/);
  assert.deepEqual(
    [...asked.matchAll(/<td><a href="\/console\/runs\/([^"]+)"/g)].map(([, id]) => id),
    [ids[2], ids[3]],
  );
  // The filter goes along, not the runs: there may be thousands, on many pages.
  assert.match(asked, /name="all" value="1"/);
  assert.doesNotMatch(asked, /name="runs?"/);
  const some: [string, string][] = [
    ['do', 'rerun'],
    ['run', ids[2] ?? ''],
    ['run', ids[3] ?? ''],
    ['run', 'none'],
  ];
  const two = (await client.get((await client.post('/console/runs', some)).headers.get('location') ?? '')).text;
  assert.match(two, /Rerun 2 runs\?[\s\S]*name="runs" value="[0-9a-f]{32},[0-9a-f]{32}"/);
  const sure = { all: '1', do: 'rerun', back, sure: '1', from: 'failure' };
  assert.match((await client.post('/console/runs', sure)).headers.get('location') ?? '', /did=rerun&done=2&of=2$/);
  // Done again, it finds none that was not rerun, except for what has failed again.
  assert.match(
    (await client.post('/console/runs', { ...sure, do: 'resume' })).headers.get('location') ?? '',
    /did=none-resume&of=0$/,
  );
});

test('nothing is asked about runs that an action does not fit, and those among others are left out', async (t) => {
  const { client, ids } = await fourRuns(t);
  const [completed = '', , failed = ''] = ids;
  const asked = async (action: string, ...runs: string[]): Promise<string> => {
    await client.get('/console');
    const reply = await client.post('/console/runs', [
      ['do', action],
      ['back', 'q=Ada'],
      ...runs.map((run): [string, string] => ['run', run]),
    ]);
    const answer = await client.get(reply.headers.get('location') ?? '');
    return answer.status === 303 ? (await client.get(answer.headers.get('location') ?? '')).text : answer.text;
  };
  const told = (page: string): string => /<p class="notice refused"[^>]*>([^<]*)</.exec(page)?.[1] ?? page;
  const which = 'A run that another one has called changes with that one.';
  assert.equal(
    told(await asked('cancel', completed, failed)),
    `None of the 2 selected runs can be cancelled: only a run that is not over can be cancelled. ${which}`,
  );
  assert.equal(
    told(await asked('resume', completed)),
    `The selected run cannot be resumed: only a run that is stuck can be resumed. ${which}`,
  );
  assert.match(told(await asked('retry', completed, failed)), /only a run that waits to try a call again can be retried/);
  await client.post(`/console/runs/${completed}/erase`);
  const erase = await asked('erase', completed, failed);
  assert.match(
    erase,
    /<h1>Erase the data of 1 run\?<\/h1>.*1 other run is left out: only a run that is over and was not erased/s,
  );
  await client.post('/console/runs', { do: 'rerun', sure: '1', runs: failed.replaceAll('-', '') });
  assert.equal(
    told(await asked('rerun', failed)),
    'The selected run has been rerun already. To rerun one once more, use its own page.',
  );
  const [, , , second = ''] = ids;
  assert.match(
    await asked('rerun', failed, second, completed),
    /Rerun 1 run\?.*1 other run is left out.*1 other run has been rerun already/s,
  );
});

test('what the address asks for and no filter can be is said, with what it can be', async (t) => {
  const { client, ids } = await fourRuns(t);
  const { text } = await client.get('/console?status=<b>failed&sort=size&since=yesterday&until=1h&waiting=2026-02-30&at=9&q=');
  const said = [...text.matchAll(/<p class="notice refused"[^>]*><bdi>(.*?)<\/bdi>/g)].map(([, words]) => words);
  const times = 'a date such as 2026-03-01, a time such as 2026-03-01T09:30:00Z, or how long ago, such as 2d or 6h';
  assert.deepEqual(said, [
    'The list ignores status=&lt;b&gt;failed in the address. status must be running, waiting, completed, rejected, error, cancelled or stuck.',
    'The list ignores sort=size in the address. sort must be oldest, due or longest.',
    `The list ignores since=yesterday in the address. since must be ${times}.`,
    `The list ignores waiting=2026-02-30 in the address. waiting must be ${times}.`,
    'The list ignores at=9 in the address. at must be a time of day in UTC, such as 09:00.',
  ]);
  assert.doesNotMatch(text, /id="count".*since/);
  const { text: plain } = await client.get('/console?status=&sort=&since=36h&at=');
  assert.doesNotMatch(plain, /The list ignores/);
  assert.deepEqual(idsIn(plain), [...ids].reverse());
});

test('a filter that finds 1,000 runs reads one page of them, and counts them once, not again while the page is open', async (t) => {
  const store = fullStore(1_000);
  const asked: string[] = [];
  const { url, close } = await startConsole({
    store: {
      ...store,
      list: (query) => {
        asked.push(`list ${query.limit}`);
        return store.list(query);
      },
      count: async (query, most) => {
        asked.push('count');
        return Math.min(most, (await store.list({ ...query, limit: 2_000 })).runs.length);
      },
    },
  });
  t.after(close);
  const client = webClient(url);
  assert.match((await client.get('/console?workflow=refund')).text, /id="count">1001 runs: <bdi>[^<]+<\/bdi></);
  assert.deepEqual(asked.splice(0), ['list 25', 'count']);
  // Why they failed is not stored, so that these are read to be counted.
  await client.get('/console?workflow=refund&reason=Payments%3A+503', { 'x-wf-live': '1' });
  assert.deepEqual(asked, ['list 25']);
});

test('a page of long messages in wide letters is small', async (t) => {
  const store = createFakeStore();
  const message = `${'Платёж отклонён "банком" '.repeat(14)}Позвоните в банк.`;
  for (let number = 0; number < 30; number++) addSample(store, { status: 'error', number, change: { message } });
  const { url, close } = await startConsole({ store });
  t.after(close);
  const client = webClient(url);
  const seen: string[] = [];
  for (let address = '/console?status=error'; address !== ''; ) {
    const { text } = await client.get(address);
    // The style sheet and the script have another 30 KB.
    assert.ok(Buffer.byteLength(text) < 29_500, `${Buffer.byteLength(text)} bytes`);
    assert.match(text, /Позвоните в банк\.<\/bdi>/, 'with its advice');
    seen.push(...idsIn(text));
    address = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  assert.equal(new Set(seen).size, 30);
  assert.equal(seen.length, 30, 'none is left out or shown twice');
});

test('a time of day is the latest one, in UTC where no script knows the zone', () => {
  const at = (text: string, now: string): string | undefined => sinceTimeOfDay(text, Date.parse(now));
  assert.equal(at('09:00', '2026-03-02T09:30:15.250Z'), '2026-03-02T09:00:00.000Z');
  assert.equal(at('09:31', '2026-03-02T09:30:15.250Z'), '2026-03-01T09:31:00.000Z');
  for (const wrong of ['', '9', '24:00', '09:60', '09:00:00']) assert.equal(at(wrong, '2026-03-02T09:30:15Z'), undefined, wrong);
});

test('an open list hears once more of a change, when the figures that were counted before it are over', async (t) => {
  const store = fullStore(0);
  const { url, close } = await startConsole({ store });
  t.after(close);
  const stream = await fetch(`${url}/console/live`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.ok(reader);
  const client = webClient(url);
  const completed = async (): Promise<string | undefined> =>
    /class="number completed.*?<b>(\d+)</s.exec((await client.get('/console')).text)?.[1];
  const before = await completed();
  const run = addSample(store, { status: 'completed', number: 1, createdAt: Date.now() });
  store.tell({ runs: [run], tasks: false });
  let heard = '';
  while (heard.split('event: change').length < 3) {
    const { value, done } = await reader.read();
    assert.equal(done, false, heard);
    heard += value;
  }
  assert.equal(Number(await completed()), Number(before) + 1);
  await reader.cancel();
});
