// Questions to people in runs without a store: nobody can answer, but whoever tries the workflow sees what it sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askPerson } from '../../runtime/people/ask-person.js';
import type { ServiceSpec } from '../../runtime/types.js';
import { createTransport } from '../../src/engine/transport/transport.js';
import { until } from '../until.js';
import { runMain, startStub } from './stub.js';

const boss: ServiceSpec = { name: 'Boss', kind: 'person', url: [{ env: 'STUB_URL' }, '/notify'] };

test('a question in memory is notified and reminded of, without a link', async () => {
  // A notification that fails changes nothing.
  const stub = await startStub({ 'POST /notify': [{ json: {} }, { status: 400 }, { json: {} }] });
  const { transport, close } = createTransport();
  const awaited: string[] = [];
  const end = new AbortController();
  const running = runMain(
    async (run) => {
      await askPerson(run, {
        ...{ service: boss, verb: 'ask', description: '', parameters: [], handled: true, location: [3, 5, 20], site: 0 },
        ...{ instruction: 'Decide', remindMs: 50 },
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
