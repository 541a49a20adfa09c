// An engine that is used before it serves: what it has seen and left to others until then becomes its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { until } from '../until.js';
import { begun, kept } from './kept.js';

/** The store has one thread, which answers in order: after some questions the keeper has read the inbox. */
async function inboxRead(engine: DurableEngine): Promise<void> {
  for (let n = 0; n < 20; n++) await engine.tasks();
}

test('a message that was sent before serving reaches a run that another process left', async (t) => {
  const { file, open } = await kept(t, 'folder');
  const first = await open();
  const { run, end } = await begun(first, await file('kept/message.wf'));
  assert.equal((await end).kind, 'paused');
  await first.close(0);
  const second = await open();
  const sent = await second.send({ name: 'go', body: {}, run });
  assert.equal(sent.kind === 'sent' && sent.delivered, 1);
  await inboxRead(second);
  await second.serve();
  assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
});

test('a message that was sent before serving reaches a run of the same process', async (t) => {
  const { file, open } = await kept(t, 'folder');
  const engine = await open();
  const { run, end } = await begun(engine, await file('kept/message.wf'));
  assert.equal((await end).kind, 'paused');
  await engine.send({ name: 'go', body: {}, run });
  await inboxRead(engine);
  await engine.serve();
  assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'completed');
});

test('a run that was interrupted continues, although a message was sent before serving', async (t) => {
  const { file, open, ledger } = await kept(t, 'folder');
  const first = await open();
  const waiting = await begun(first, await file('kept/message.wf'));
  assert.equal((await waiting.end).kind, 'paused');
  ledger.delayMs = () => 60_000;
  const { run } = await begun(first, await file('kept/two-calls.wf'));
  await until(() => ledger.received.length === 1);
  await first.close(0);
  ledger.delayMs = () => 0;
  const second = await open();
  await second.send({ name: 'go', body: {}, run: waiting.run });
  await inboxRead(second);
  await second.serve();
  for (const id of [waiting.run, run]) assert.equal((await second.settled(id, 'ended', 60_000))?.status, 'completed');
});
