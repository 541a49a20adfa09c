// What the console says after a change, by what has become of the run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredWords } from '../../src/console/pages/tasks/answer-task.js';
import type { RunState, TaskView } from '../../src/durable/model/run-views.js';
import { startConsole } from './console-server.js';
import { sampleId } from './sample-runs.js';
import { fullStore } from './sample-store.js';
import { webClient } from './web-client.js';

for (const [action, id, status, said] of [
  ['cancel', sampleId(2), 'running', 'The run will be cancelled as soon as its process answers.'],
  ['cancel', sampleId(2), 'cancelled', 'The run is cancelled.'],
  ['resume', sampleId(10), 'stuck', 'The run tried again and is stuck again.'],
  ['resume', sampleId(10), 'running', 'The run tries again.'],
] as const) {
  test(`after ${action}, of a run that is ${status} then: "${said}"`, async (t) => {
    const store = fullStore(12);
    const detail = (await store.get(id)) ?? assert.fail('there is no such run');
    store[action] = async () => ({ kind: 'done', state: { ...detail, status } });
    const { url, close } = await startConsole({ store });
    t.after(close);
    const client = webClient(url);
    // The page with the form.
    await client.get(`/console/runs/${id}${action === 'cancel' ? '/cancel' : ''}`);
    const changed = await client.post(`/console/runs/${id}/${action}`);
    assert.equal(changed.status, 303, changed.text);
    const { text } = await client.get(changed.headers.get('location') ?? '');
    assert.ok(
      text.includes(`<p class="notice" role="status" tabindex="-1">${said}</p>`),
      text.match(/<p class="notice.*?<\/p>/)?.[0],
    );
  });
}

test('a question that nobody answered says why it is over', async () => {
  const [asked, hour, day] = ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.000Z', '2026-03-02T09:00:00.000Z'];
  const task = {
    task: 't',
    run: 'r',
    workflow: 'w',
    service: 'Finance',
    question: 'Pay?',
    askedAt: asked,
    status: 'over',
  } as const;
  const words = async (due: string | undefined, finishedAt: string | undefined): Promise<string> => {
    const state = { status: 'cancelled', ...(finishedAt === undefined ? {} : { finishedAt }) } as RunState; // of which nothing else is read
    const over: TaskView = { ...task, ...(due === undefined ? {} : { due }) };
    return (await answeredWords(over, { state: async () => state }, true)).toString();
  };
  assert.match(await words(hour, day), /^Nobody answered in time: it was due .*1 Mar 2026, 10:00:00 UTC/);
  assert.match(await words(day, hour), /^Nobody answered before the run ended · .*1 Mar 2026, 10:00:00 UTC/);
  assert.match(await words(undefined, hour), /^Nobody answered before the run ended/);
  assert.equal(await words('9999-01-01T00:00:00.000Z', undefined), 'Nobody answered: the run went on without an answer.');
});

test('the question whether to end a wait is not asked once the run is over', async (t) => {
  const { url, close } = await startConsole({ store: fullStore(12) });
  t.after(close);
  const asked = async (id: string): Promise<string> => (await webClient(url).get(`/console/runs/${id}/skip?line=14`)).text;
  assert.match(await asked(sampleId(2)), /<button class="main">End the wait</);
  const over = await asked(sampleId(1));
  assert.doesNotMatch(over, /End the wait<|<form method="post" action="\/console\/runs/);
  assert.match(over, /This run is over: .*Completed.*Back to the run/s);
});
