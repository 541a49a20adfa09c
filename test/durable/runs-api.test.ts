// The addresses of a server with a store: runs, messages and tasks, and the headers of a POST. All tests share one server and one store;
// each uses its own workflows and runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskView } from '../../src/durable/model/run-views.js';
import type { Answered } from '../server/test-server.js';
import { until } from '../until.js';
import { apiServer, body, checkDocument, runOf } from './runs-server.js';

test('runs, messages and tasks over HTTP', async (t) => {
  const one = await apiServer(t, { userHeader: 'X-User' });

  await t.test('a run that ends: its outcome and its id; every outcome has its status', async () => {
    const done = await one.post('/echo', { n: 1 });
    assert.deepEqual([done.status, body(done), runOf(done).length], [200, { status: 'completed', outputs: { n: 1 } }, 36]);
    const rejected = await one.post('/reject', { n: 2 });
    assert.deepEqual([rejected.status, body(rejected)], [400, { status: 'rejected', message: 'no 2' }]);
    const failed = await one.post('/fail', { zero: 0 });
    assert.equal(failed.status, 500);
    assert.match(String(body(failed).message), /^fail\.wf, line 8: /);
    for (const answer of [rejected, failed]) assert.equal(runOf(answer).length, 36);
  });

  await t.test('answers a run that pauses for long with 202 and its address', async () => {
    const waiting = await one.post('/message', { order: 'long' });
    const run = runOf(waiting);
    assert.deepEqual([waiting.status, body(waiting)], [202, { status: 'waiting', run }]);
    assert.equal(waiting.headers.get('location'), `/runs/${run}`);
    assert.equal(waiting.headers.get('preference-applied'), null);
  });

  await t.test('Prefer: respond-async and wait', async () => {
    const accepted = await one.post('/echo', { n: 3 }, { prefer: 'respond-async' });
    const run = runOf(accepted);
    assert.deepEqual([accepted.status, body(accepted)], [202, { status: 'accepted', run }]);
    assert.deepEqual(
      ['location', 'preference-applied'].map((name) => accepted.headers.get(name)),
      [`/runs/${run}`, 'respond-async'],
    );
    const outcome = await one.get(`/runs/${run}`, { prefer: 'wait=20' });
    assert.deepEqual([body(outcome).status, outcome.headers.get('preference-applied')], ['completed', 'wait=20']);
    const none = await one.post('/held', {}, { prefer: 'wait=0' });
    assert.deepEqual([none.status, body(none).status, none.headers.get('preference-applied')], [202, 'waiting', 'wait=0']);
    // It waits out its time, although the run waits for a message.
    const began = performance.now();
    const waited = await one.post('/named', {}, { prefer: 'wait=1' });
    assert.deepEqual([waited.status, performance.now() - began >= 950], [202, true]);
    const capped = await one.post('/echo', {}, { prefer: 'wait=100' });
    assert.equal(capped.headers.get('preference-applied'), 'wait=60');
    assert.equal((await one.post('/echo', {}, { prefer: 'wait=soon' })).headers.get('preference-applied'), null);
  });

  await t.test('Idempotency-Key: the same request is one run, and its outcome is replayed', async () => {
    const key = { 'idempotency-key': 'K-1' };
    const first = await one.post('/reject', { n: 1, m: [{ a: 1, b: 2 }] }, key);
    const again = await one.post('/reject', { m: [{ b: 2, a: 1 }], n: 1.0 }, key);
    assert.deepEqual([again.status, again.text, runOf(again)], [400, first.text, runOf(first)]);
    assert.deepEqual(
      [first, again].map(({ headers }) => headers.get('idempotency-replayed')),
      [null, 'true'],
    );
    const other = await one.post('/reject', { n: 2 }, key);
    assert.deepEqual([other.status, runOf(other)], [422, runOf(first)]);
    assert.equal((await one.post('/echo', { n: 2 }, key)).status, 200, 'a key belongs to a workflow');
    for (const malformed of ['', 'two words', '\u00e9', 'x'.repeat(256)])
      assert.equal((await one.post('/echo', {}, { 'idempotency-key': malformed })).status, 400, JSON.stringify(malformed));
    assert.equal((await one.post('/echo', {}, { 'idempotency-key': 'x'.repeat(255) })).status, 200);
  });

  await t.test('Idempotency-Key: while the run is in progress', async () => {
    const key = { 'idempotency-key': 'K-2' };
    const held = one.post('/held', {}, key);
    let busy: Answered | undefined;
    await until(async () => {
      busy = await one.post('/held', {}, key);
      return busy.status === 409;
    });
    assert.ok(busy !== undefined);
    const run = runOf(busy);
    assert.deepEqual([busy.headers.get('location'), busy.headers.get('retry-after')], [`/runs/${run}`, '1']);
    assert.equal((await one.post(`/runs/${run}/cancel`)).status, 202);
    const cancelled = await held;
    assert.deepEqual([cancelled.status, body(cancelled).status], [500, 'cancelled']);
    assert.equal(typeof body(cancelled).message, 'string');
    // One that was answered with 202 replays its 202.
    const waiting = await one.post('/message', { order: 'K-3' }, { 'idempotency-key': 'K-3' });
    const replayed = await one.post('/message', { order: 'K-3' }, { 'idempotency-key': 'K-3' });
    assert.deepEqual([replayed.status, replayed.text, runOf(replayed)], [202, waiting.text, runOf(waiting)]);
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
    const asynchronous = { 'idempotency-key': 'K-5', prefer: 'respond-async' };
    const accepted = await one.post('/named', {}, asynchronous);
    const twice = await one.post('/named', {}, asynchronous);
    assert.deepEqual([twice.status, runOf(twice)], [202, runOf(accepted)]);
    const message = { 'idempotency-key': 'K-6', prefer: 'respond-async' };
    const [first, again] = [
      await one.post('/message', { order: 'K-6' }, message),
      await one.post('/message', { order: 'K-6' }, message),
    ];
    assert.deepEqual([again.status, again.text, again.headers.get('preference-applied')], [202, first.text, 'respond-async']);
  });

  await t.test('a refusal that started no run stores no key', async () => {
    const key = { 'idempotency-key': 'K-4' };
    assert.equal((await one.post('/echo', {}, { ...key, 'content-type': 'text/html' })).status, 415);
    const done = await one.post('/echo', { n: 5 }, key);
    assert.deepEqual([done.status, done.headers.get('idempotency-replayed')], [200, null]);
  });

  await t.test('a stuck run is a 500, and resume retries it', async () => {
    const stuck = await one.post('/stuck');
    const run = runOf(stuck);
    assert.deepEqual([stuck.status, body(stuck).status], [500, 'stuck']);
    assert.match(String(body(stuck).message), /gone\.mjs/);
    assert.equal(body(await one.get(`/runs/${run}`)).status, 'stuck');
    assert.equal((await one.post(`/runs/${run}/resume`)).status, 202);
  });

  await t.test('Idempotency-Key: a stuck run is replayed as it was answered', async () => {
    const key = { 'idempotency-key': 'K-7' };
    const stuck = await one.post('/stuck', {}, key);
    const again = await one.post('/stuck', {}, key);
    assert.deepEqual([again.status, again.text, runOf(again)], [500, stuck.text, runOf(stuck)]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const asynchronous = { 'idempotency-key': 'K-8', prefer: 'respond-async' };
    const accepted = await one.post('/stuck', {}, asynchronous);
    await until(async () => body(await one.get(`/runs/${runOf(accepted)}`)).status === 'stuck');
    const twice = await one.post('/stuck', {}, asynchronous);
    assert.deepEqual([twice.status, twice.text, runOf(twice)], [202, accepted.text, runOf(accepted)]);
  });

  await t.test('one run: what operators see, and unknown ids', async () => {
    const run = runOf(await one.post('/echo', { n: 7 }));
    const seen = await one.get(`/runs/${run}`);
    const { workflow, version, status, outputs, request, log, finishedAt } = body(seen);
    assert.deepEqual([seen.status, workflow, version, status, outputs], [200, 'echo', 1, 'completed', { n: 7 }]);
    assert.deepEqual([request, Array.isArray(log), typeof finishedAt], [{ n: 7 }, true, 'string']);
    const waiting = body(await one.get(`/runs/${runOf(await one.post('/message', { order: 'seen' }))}`));
    const { since, ...wait } = waiting.waitingFor as Record<string, unknown>; // it waits
    assert.deepEqual([typeof since, wait], ['string', { kind: 'message', name: 'payment', line: 8 }]);
    for (const id of ['01900000-0000-7000-8000-000000000000', 'nonsense']) {
      assert.equal((await one.get(`/runs/${id}`)).status, 404);
      for (const change of ['cancel', 'resume', 'rerun']) assert.equal((await one.post(`/runs/${id}/${change}`)).status, 404);
    }
  });

  await t.test('the list: newest first, by page, workflow, state and time; wrong queries are refused', async () => {
    const runs: string[] = [];
    for (let n = 0; n < 5; n++) runs.unshift(runOf(await one.post('/fail', { zero: 0, n })));
    const list = async (query: string): Promise<{ runs: { run: string; workflow: string; status: string }[]; next?: string }> => {
      const answer = await one.get(`/runs?${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json as Awaited<ReturnType<typeof list>>; // the shape of the answer
    };
    const first = await list('workflow=fail&limit=2');
    assert.deepEqual(
      first.runs.map(({ run }) => run),
      runs.slice(0, 2),
    );
    // New runs in between move nothing.
    await one.post('/fail', { zero: 0 });
    const second = await list(`workflow=fail&limit=2&cursor=${first.next}`);
    assert.deepEqual(
      second.runs.map(({ run }) => run),
      runs.slice(2, 4),
    );
    assert.ok((await list('status=waiting')).runs.every(({ status }) => status === 'waiting'));
    assert.deepEqual((await list('since=2999-01-01')).runs, []);
    assert.deepEqual((await list('since=1h')).runs.length, (await list('')).runs.length);
    assert.deepEqual((await list('until=2000-01-01T00:00:00Z')).runs, []);
    for (const name of ['q', 'search'])
      assert.deepEqual(
        (await list(`${name}=${runs[0]}`)).runs.map(({ run }) => run),
        [runs[0]],
      );
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'status=done',
      'since=yesterday',
      'cursor=abc',
      'colour=red',
      'limit=1&limit=2',
      'q=a&search=a',
    ])
      assert.equal((await one.get(`/runs?${query}`)).status, 400, query);
  });

  await t.test('cancel, resume and rerun: 202, or 409 if the state forbids it', async () => {
    const done = runOf(await one.post('/echo', { n: 8 }));
    for (const change of ['cancel', 'resume', 'retry', 'skip'])
      assert.equal((await one.post(`/runs/${done}/${change}`)).status, 409, change);
    const again = await one.post(`/runs/${done}/rerun`, { from: 'start', workflow: 'recorded' });
    assert.deepEqual([again.status, body(again).rerunOf], [202, done]);
    assert.equal(again.headers.get('location'), `/runs/${runOf(again)}`);
    await until(async () => body(await one.get(`/runs/${runOf(again)}`)).status === 'completed');
    assert.equal(body(await one.get(`/runs/${runOf(again)}`)).rerunOf, done);
    const refused = await one.post(`/runs/${done}/rerun`, { from: 'failure' });
    assert.equal(refused.status, 409, 'it has not failed');
    assert.match(`${body(refused).error}`, /its status is "completed"\. Rerun it from the start\.$/);
    assert.match(`${body(refused).hint}`, /^Send \{"from": "start"\}/);
    for (const wrong of [{ from: 'middle' }, { workflow: 'newest' }, { speed: 1 }])
      assert.equal((await one.post(`/runs/${done}/rerun`, wrong)).status, 400);
    assert.equal((await one.post(`/runs/${done}/rerun`)).status, 409, 'it has been rerun');
    assert.equal((await one.post(`/runs/${done}/rerun`, { from: 'start' })).status, 202, 'the start is named');
    const waiting = runOf(await one.post('/message', { order: 'cancelled' }));
    assert.equal((await one.post(`/runs/${waiting}/rerun`)).status, 409, 'it is not over');
    const cancelled = await one.post(`/runs/${waiting}/cancel`);
    assert.deepEqual([cancelled.status, body(cancelled).status], [202, 'cancelled']);
    assert.equal(body(await one.get(`/runs/${waiting}`)).status, 'cancelled');
  });

  await t.test('messages: stored, delivered once, to one run; refused if they cannot be', async () => {
    const early = await one.post('/messages/payment', { order: 'A-1', amount: 5 });
    assert.deepEqual([early.status, body(early).delivered, typeof body(early).keptUntil], [202, 0, 'string']);
    const found = await one.post('/message', { order: 'A-1' });
    assert.deepEqual(body(found), { status: 'completed', outputs: { paid: 5 } });
    const [first, second] = [await one.post('/message', { order: 'A-2' }), await one.post('/message', { order: 'A-2' })].map(
      runOf,
    );
    for (const id of ['idempotency-key', 'webhook-id']) {
      const sent = await one.post('/messages/payment', { order: 'A-2', amount: 6 }, { [id]: `M-${id}` });
      const twice = await one.post('/messages/payment', { order: 'A-2', amount: 6 }, { [id]: `M-${id}` });
      assert.deepEqual([sent.status, body(sent).delivered, twice.text], [202, 1, sent.text]);
      assert.equal((await one.post('/messages/payment', { order: 'A-2' }, { [id]: `M-${id}` })).status, 422);
    }
    for (const run of [first, second]) await until(async () => body(await one.get(`/runs/${run}`)).status === 'completed');
    const named = runOf(await one.post('/named'));
    assert.equal(body(await one.post('/messages/go')).delivered, 0, 'a wait without pairs is only reached by the id of its run');
    assert.equal(body(await one.post(`/messages/go?run=${named}`)).delivered, 1);
    await until(async () => body(await one.get(`/runs/${named}`)).status === 'completed');
    assert.equal((await one.post(`/messages/go?run=${named}`)).status, 409);
    assert.equal((await one.post('/messages/go?run=01900000-0000-7000-8000-000000000000')).status, 404);
    assert.equal((await one.post('/messages/go?to=1')).status, 400);
    assert.equal((await one.post('/messages/no%20name')).status, 400);
    assert.equal((await one.post('/messages/go', {}, { 'idempotency-key': 'a b' })).status, 400);
    assert.deepEqual(
      [(await one.get('/messages/go')).status, (await one.get('/messages/go')).headers.get('allow')],
      [405, 'POST, OPTIONS'],
    );
  });

  await t.test('tasks: listed, answered once, with the name of the person; closed stays closed', async () => {
    const run = runOf(await one.post('/person', { n: 9 }));
    const tasks = body(await one.get('/tasks')).tasks as readonly TaskView[]; // the shape of the answer
    const task = tasks.find((open) => open.run === run);
    assert.ok(task !== undefined);
    const { workflow, service, question, choices, askedAt } = task;
    assert.deepEqual(
      [workflow, service, question, choices, typeof askedAt],
      ['person', 'Boss', 'approve 9', ['yes', 'no'], 'string'],
    );
    const address = `/tasks/${task.task}`;
    assert.equal((await one.get(address)).status, 200);
    assert.equal((await one.post(address, { answer: 'perhaps' })).status, 400);
    for (const wrong of [{}, { answer: 1 }, { answer: ' ' }, { answer: 'yes', comment: 5 }, { answer: 'yes', by: {} }])
      assert.equal((await one.post(address, wrong)).status, 400, JSON.stringify(wrong));
    for (const wrong of [{ to: ' ' }, { to: 1 }, { to: 'Ada', ifFree: 1 }, { from: 'Ada' }, { to: 'x'.repeat(201) }])
      assert.equal((await one.post(`${address}/assign`, wrong)).status, 400, JSON.stringify(wrong));
    assert.equal(body(await one.post(`${address}/assign`, { to: 'Ada' })).assignee, 'Ada');
    assert.equal((await one.post(`${address}/assign`, { to: 'Bo', ifFree: true })).status, 409);
    const listed = body(await one.get('/tasks?for=ada')).tasks as readonly TaskView[]; // as above
    assert.deepEqual(
      listed.map(({ assignee }) => assignee),
      ['Ada'],
    );
    assert.equal((await one.post('/tasks/none/assign', { to: null })).status, 404);
    const answered = await one.post(address, { answer: 'yes', by: 'Ada' }, { 'x-user': 'Grace' });
    assert.deepEqual([answered.status, body(answered).by], [200, 'Grace'], 'the trusted header wins');
    assert.equal((await one.post(`${address}/assign`, { to: 'Bo' })).status, 409);
    const twice = await one.post(address, { answer: 'no' });
    assert.deepEqual([twice.status, body(twice).by, typeof body(twice).answeredAt], [409, 'Grace', 'string']);
    await until(async () => body(await one.get(`/runs/${run}`)).status === 'completed');
    const quick = runOf(await one.post('/quick', {}, { prefer: 'wait=0' }));
    let late: string | undefined;
    await until(async () => {
      const open = body(await one.get('/tasks')).tasks as readonly TaskView[]; // as above
      late = open.find((other) => other.run === quick)?.task;
      return late !== undefined;
    });
    await until(async () => body(await one.get(`/runs/${quick}`)).status === 'rejected');
    assert.equal((await one.post(`/tasks/${late}`, { answer: 'here' })).status, 410);
    assert.equal((await one.post('/tasks/none', { answer: 'x' })).status, 404);
    for (const query of ['limit=0', 'colour=red']) assert.equal((await one.get(`/tasks?${query}`)).status, 400);
  });

  await t.test('the OpenAPI document describes every one of these answers', () => checkDocument(one));
});
