// Questions to people in runs without a store: nobody can answer, but whoever tries the workflow sees what it sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed } from '../../runtime/define.js';
import { askPerson } from '../../runtime/people/ask-person.js';
import type { DurableBranch } from '../../runtime/run/durable-run.js';
import type { ServiceSpec } from '../../runtime/types.js';
import { createTransport } from '../../src/engine/transport/transport.js';
import { until } from '../until.js';
import { runMain, startStub } from './stub.js';

const boss: ServiceSpec = { name: 'Boss', kind: 'person', url: [{ env: 'STUB_URL' }, '/notify'] };

test('reminders in working hours are counted in the calendar, each from the question', async () => {
  const times: string[] = [];
  const asked = Date.parse('2026-03-27T14:00:00Z');
  await runMain(
    async (run) => {
      const ask: DurableBranch['ask'] = (_site, _question, _notify, _sleep, remindersAt) => {
        for (const reminder of [1, 2, 3]) times.push(new Date(asked + remindersAt(asked, reminder)).toISOString().slice(0, 16));
        return Promise.resolve({ result: { answer: 'yes', comment: null, by: null }, replayed: true });
      };
      Object.defineProperty(run, 'durable', { value: { ask } });
      await askPerson(run, {
        service: boss,
        verb: 'ask',
        description: '',
        parameters: [],
        handled: true,
        location: [3, 5, 20],
        site: 0,
        instruction: 'Decide',
        remindMs: 1,
        remind: { amount: 1, unit: 'working days' },
      });
      return completed([]);
    },
    {},
    [boss],
  );
  // A Friday.
  assert.deepEqual(times, ['2026-03-30T14:00', '2026-03-31T14:00', '2026-04-01T14:00']);
});

test('a question in memory is notified and reminded of, without a link', async () => {
  // A notification that fails changes nothing.
  const stub = await startStub({ 'POST /notify': [{ json: {} }, { status: 400 }, { json: {} }] });
  const { transport, close } = createTransport();
  const awaited: string[] = [];
  const end = new AbortController();
  const running = runMain(
    async (run) => {
      await askPerson(run, {
        service: boss,
        verb: 'ask',
        description: '',
        parameters: [],
        handled: true,
        location: [3, 5, 20],
        site: 0,
        instruction: 'Decide',
        remindMs: 50,
      });
      return assert.fail('nobody can answer');
    },
    { transport, env: { STUB_URL: stub.url }, onAwaited: (_line, what) => awaited.push(what), signal: end.signal },
    [boss],
  );
  try {
    await until(() => stub.seen.length >= 3);
    end.abort();
    await running;
    assert.deepEqual(awaited, ['an answer from Boss']);
    const bodies = stub.seen.slice(0, 3).map(({ body }) => JSON.parse(body) as Record<string, string>);
    assert.deepEqual(
      bodies.map(({ text = '' }) => text.startsWith('Reminder: ')),
      [false, true, true],
    );
    for (const { text = '', question, ...rest } of bodies) {
      assert.equal(question, 'Decide');
      assert.match(text, /This run has no store, so nobody can answer this question\./);
      assert.deepEqual(Object.keys(rest), ['workflow']);
    }
  } finally {
    await close();
    await stub.close();
  }
});
