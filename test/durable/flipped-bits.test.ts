// One bit of a store in a folder is another one than was written: everything that is shown, exported or continued is as it was, or reported as
// damaged; nothing is silently different.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { crcByTable, createSealing } from '../../src/durable/store/shared/sealing.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { until } from '../until.js';
import { flipBits, isReport, lasting, wordsOf } from './flipped.js';
import { begun, type TestStore, testStore } from './test-store.js';

/** Bits that were not noticed once, in the layout that this test's store had then. */
const SEEN = [
  [19_582, 0], // a version, read together with its runs
  [3_601, 0], // a trigger
  [2_360, 7], // a name in a trigger
  [1_216, 3], // a name in another one
  [1_503, 2], // a name of a function in a trigger
  [1_691, 2], // what a trigger compares
  [43_580, 2], // the kind of an entry, among those that are counted
] as const;

/** What the store tells of one run; an error in words counts as a report. */
async function told(engine: DurableEngine, run: string): Promise<unknown[]> {
  const asked = [engine.state(run), engine.get(run), engine.log(run), engine.journal(run)];
  return (await Promise.allSettled<unknown>(asked)).map((answer) =>
    answer.status === 'fulfilled' ? lasting(answer.value) : wordsOf(answer.reason),
  );
}

interface Truth {
  readonly finished: readonly string[];
  readonly waiting: readonly string[];
  readonly of: ReadonlyMap<string, unknown[]>;
  readonly exported: ReadonlyMap<string, unknown>;
}

async function exportedFrom(engine: DurableEngine): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const line of engine.export()) found.set(line.run, lasting(line));
  return found;
}

/** Three finished runs with four calls each, and three that wait for a message after two. */
async function madeStore({ open, file }: TestStore, env: Record<string, string>): Promise<{ truth: Truth; prepared: Prepared }> {
  const first = await open({ env });
  await first.serve();
  const prepared = await file('single/calls-around-a-message.wf');
  const runs: string[] = [];
  for (const n of [1, 2, 3, 4, 5, 6]) {
    const { run, end } = await begun(first, prepared, { n, customer: `Customer ${n}` });
    await end;
    runs.push(run);
  }
  const finished = runs.slice(0, 3);
  for (const run of finished) {
    await first.send({ name: 'go', body: {}, run });
    await first.settled(run, 'ended', 60_000);
  }
  await first.close(0);
  const second = await open({ env });
  const of = new Map<string, unknown[]>();
  for (const run of runs) of.set(run, await told(second, run));
  const truth = { finished, waiting: runs.slice(3), of, exported: await exportedFrom(second) };
  await second.close(0);
  return { truth, prepared };
}

/** Compares everything that a store tells with the truth; returns whether it has reported damage. */
async function compare(engine: DurableEngine, truth: Truth, said: readonly string[]): Promise<boolean> {
  let isReported = false;
  const page = await engine.list({});
  const listed = new Map(page.runs.map((run) => [run.run, run]));
  const isFileLeftOut = page.unreadable !== undefined;
  const isAnyDamaged = page.runs.some(isReport);
  for (const [run, answers] of truth.of) {
    if (!listed.has(run)) assert.ok(isFileLeftOut || isAnyDamaged, `${run} is not listed`);
    for (const [index, answer] of (await told(engine, run)).entries()) {
      if (isReport(answer)) isReported = true;
      else if (answer === null || (Array.isArray(answer) && answer.length === 0))
        assert.ok(isFileLeftOut || isAnyDamaged, `${run} is gone`);
      else assert.deepEqual(answer, answers[index]);
    }
  }
  try {
    for (const [run, line] of await exportedFrom(engine)) {
      if (isReport(line)) isReported = true;
      else assert.deepEqual(line, truth.exported.get(run));
    }
  } catch (error) {
    wordsOf(error);
  }
  return isReported || isFileLeftOut || isAnyDamaged || said.length > 0;
}

/** The waiting runs continue as they would have, or not at all. */
async function proceed(engine: DurableEngine, truth: Truth, said: readonly string[]): Promise<void> {
  if (typeof (await engine.serve().catch(wordsOf)) === 'string') return;
  for (const run of truth.waiting) {
    const state = await engine.state(run).catch(wordsOf);
    if (isReport(state) || typeof state === 'string' || state === undefined) continue;
    if (typeof (await engine.send({ name: 'go', body: {}, run }).catch(wordsOf)) === 'string') continue;
    await until(async () => {
      const now = await engine.settled(run, 'ended', 200).catch(wordsOf);
      if (said.length > 0 || typeof now === 'string' || now === undefined) return true;
      return now.status === 'completed' || now.status === 'stuck' || isReport(now);
    });
  }
}

for (const isEncrypted of [false, true])
  test(`a flipped bit is noticed, or changes nothing${isEncrypted ? ' (encrypted)' : ''}`, async (t) => {
    const store = await testStore(t, 'folder');
    const { folder, open, ledger } = store;
    const env = isEncrypted ? { ...store.env, WF_STORE_KEY: Buffer.alloc(32, 7).toString('base64') } : store.env;
    const { truth } = await madeStore(store, env);
    await flipBits({ folder, file: 's0.db', isEncrypted, seen: SEEN }, async (copy) => {
      const said: string[] = [];
      const sent = ledger.received.length;
      const engine = await open({ env, cwd: copy, onProblem: (sentence) => void said.push(sentence) }).catch(wordsOf);
      if (typeof engine === 'string') return true;
      const isReported = await compare(engine, truth, said);
      await proceed(engine, truth, said);
      await engine.close(0);
      for (const { step } of ledger.received.slice(sent)) assert.ok(step > 1, 'a recorded call was sent again');
      return isReported;
    });
  });

test('the checksum is that of zlib, whatever Node.js provides', () => {
  assert.equal(crcByTable('123456789', 0), 0xcbf43926);
  assert.equal(crcByTable(Buffer.from('6789'), crcByTable('12345', 0)), 0xcbf43926);
  const { sum } = createSealing(undefined, new Uint8Array(32));
  assert.equal(sum('äx'), crcByTable('äx', 0) | 0);
  for (const text of ['äx', 'a short text', 'long'.repeat(200)]) assert.equal(sum(text), sum([text]));
  assert.equal(sum(['ä', Buffer.from('x')]), sum('äx'));
});
