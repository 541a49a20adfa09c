// One bit of the file that all processes of a store share is another one than was written: questions, messages, keys, timetables, filters and
// changes are as they were, or reported as damaged; nothing is silently different.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { DurableEngine, Sent } from '../../src/durable/durable-engine.js';
import type { ChangeView } from '../../src/durable/model/changes.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { until } from '../until.js';
import { flipBits, isReport, lasting, wordsOf } from './flipped.js';
import { begun, type TestStore, testStore } from './test-store.js';

const NOBODY = { name: 'Eve', way: 'command line' } as const;
const paid = { name: 'payment', body: { order: 'B', amount: 7, note: 'long enough for another page'.repeat(20) }, key: 'k1' };
const KEY = 'first';

interface Files {
  readonly payment: Prepared;
  readonly questions: Prepared;
  readonly done: Prepared;
}

/** What a new run waits for, what is asked, kept, named, and changed. */
interface Truth {
  readonly waiting: string;
  readonly keyed: string;
  readonly answered: string;
  readonly kept: Sent;
  readonly facts: Facts;
}

type Facts = Readonly<Record<string, readonly unknown[]>>;

/** Facts of each kind, which a store reads without changing it. */
async function factsOf(engine: DurableEngine, closed: string): Promise<Facts> {
  const changes: ChangeView[] = [];
  for await (const change of engine.changes.list()) changes.push(change);
  const facts = {
    open: (await engine.tasks()).tasks,
    closed: (await engine.tasks({ closed: true })).tasks,
    question: [await engine.task(closed).catch(wordsOf)],
    views: await engine.views.list(),
    timetable: [await engine.timetables.seen('tick', 'plan')],
    changes,
  };
  return lasting(facts) as Facts; // as JSON
}

async function madeStore({ open }: TestStore, { payment, questions, done }: Files, env: Record<string, string>): Promise<Truth> {
  const engine = await open({ env });
  await engine.serve();
  const { run: waiting, end } = await begun(engine, payment, { order: 'A' });
  await end;
  for (let n = 0; n < 12; n++) await (await begun(engine, questions, { n })).end;
  const { tasks } = await engine.tasks();
  const [first, second] = tasks;
  assert.ok(first !== undefined && second !== undefined);
  await engine.answer(first.task, { answer: 'yes', comment: 'a remark', by: 'Ann' }, NOBODY);
  await engine.assign(second.task, { to: 'Bo' }, NOBODY);
  const sent = await engine.send(paid, NOBODY);
  for (let n = 0; n < 12; n++) await engine.send({ name: 'other', body: { order: n }, key: `other ${n}` });
  const started = await engine.start({ prepared: done, request: { n: 1 }, key: KEY });
  assert.ok(started.kind === 'started');
  await started.end;
  for (const name of ['one', 'two']) await engine.views.save({ name, query: `status=${name}` }, []);
  await engine.timetables.done('tick', 'plan', 1_700_000_000_000);
  const truth = { waiting, keyed: started.run, kept: sent, answered: first.task, facts: await factsOf(engine, first.task) };
  await engine.close(0);
  return truth;
}

/** @returns whether anything is damaged */
function compare(found: Facts, truth: Facts, said: readonly string[]): void {
  for (const [kind, facts] of Object.entries(found)) {
    const known = truth[kind] ?? [];
    const unknown = facts.filter((fact) => !known.some((one) => isSame(one, fact)));
    for (const fact of unknown)
      assert.ok(isReport(fact) || (fact === null && said.some(isReport)), `${kind}: ${JSON.stringify(fact)}`);
    if (facts.length < known.length) assert.ok(said.some(isReport), `of ${kind}, something is gone`);
  }
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}

/** What is stored has its effect, or is reported. */
async function proceed(engine: DurableEngine, { payment, done }: Files, truth: Truth, said: readonly string[]): Promise<void> {
  const orSaid = (isTrue: boolean, what: string): void => assert.ok(isTrue || said.some(isReport), what);
  if (typeof (await engine.serve().catch(wordsOf)) === 'string') return;
  const again = await engine.send(paid).catch(wordsOf);
  if (typeof again !== 'string') orSaid(isSame(again, truth.kept), JSON.stringify(again));
  const repeated = await Promise.resolve(engine.start({ prepared: done, request: { n: 1 }, key: KEY })).catch(wordsOf);
  if (typeof repeated !== 'string')
    orSaid(repeated.kind === 'known' && repeated.run === truth.keyed, JSON.stringify(repeated.kind));
  const taker = await engine.start({ prepared: payment, request: { order: 'B' }, respondAsync: true });
  assert.equal(taker.kind, 'started');
  if (taker.kind !== 'started') return;
  const taken = await taker.end;
  if (taken.kind === 'outcome') assert.deepEqual(taken.outcome.outputs, { amount: 7 });
  else orSaid(false, `the kept message: ${taken.kind}`);
  const sent = await engine.send({ name: 'payment', body: { order: 'A', amount: 5 } }).catch(wordsOf);
  if (typeof sent === 'string') return;
  if (sent.kind !== 'sent' || sent.run !== truth.waiting) return orSaid(false, `a message: ${JSON.stringify(sent)}`);
  await until(async () => {
    const state = await engine.state(truth.waiting).catch(wordsOf);
    if (typeof state === 'string' || said.some(isReport)) return true;
    if (state?.status === 'completed') assert.deepEqual(state.outputs, { amount: 5 });
    // Its module may be what was changed.
    return state?.status === 'completed' || state?.status === 'stuck';
  });
}

for (const isEncrypted of [false, true])
  test(`a flipped bit of what all processes share is noticed, or changes nothing${isEncrypted ? ' (encrypted)' : ''}`, async (t) => {
    const store = await testStore(t, 'folder');
    const { folder, open, file } = store;
    const env = isEncrypted ? { ...store.env, WF_STORE_KEY: Buffer.alloc(32, 7).toString('base64') } : store.env;
    const files = {
      payment: await file('single/payment-of-a-found-order.wf'),
      questions: await file('single/two-questions.wf'),
      done: await file('single/done.wf'),
    };
    const truth = await madeStore(store, files, env);
    const common = new (loadSqlite().DatabaseSync)(path.join(folder, 'runs/common.db'));
    const hashed = common.prepare('SELECT data FROM contents').all();
    common.close();
    await flipBits({ folder, file: 'common.db', isEncrypted, hashed: hashed.map(({ data }) => String(data)) }, async (copy) => {
      const said: string[] = [];
      const engine = await open({ env, cwd: copy, onProblem: (sentence) => void said.push(sentence) }).catch(wordsOf);
      if (typeof engine === 'string') return true;
      const found = await factsOf(engine, truth.answered).catch(wordsOf);
      if (typeof found !== 'string') {
        compare(found, truth.facts, said);
        await proceed(engine, files, truth, said);
      }
      await engine.close(0);
      return said.some(isReport) || typeof found === 'string' || isReport(found);
    });
  });

test('a kept message is found although what it is found by was changed', async (t) => {
  for (const column of ['name', 'field', 'hash', 'message']) {
    const store = await testStore(t, 'folder');
    const payment = await store.file('single/payment-of-a-found-order.wf');
    const engine = await store.open();
    await engine.send(paid, NOBODY);
    await engine.close(0);
    const common = new (loadSqlite().DatabaseSync)(path.join(store.folder, 'runs/common.db'));
    const other = column === 'message' ? 'message + 1' : column === 'hash' ? "x'00'" : `${column} || 'x'`;
    assert.equal(common.prepare(`UPDATE message_fields SET ${column} = ${other} WHERE field = 'order'`).run().changes, 1);
    common.close();
    const again = await store.open();
    await again.serve();
    const taker = await again.start({ prepared: payment, request: { order: 'B' }, respondAsync: true });
    assert.ok(taker.kind === 'started');
    const taken = await taker.end;
    assert.deepEqual(taken.kind === 'outcome' ? taken.outcome.outputs : taken.kind, { amount: 7 }, column);
    await again.close(0);
  }
});

test('a kept message that cannot be read keeps no store from being opened', async (t) => {
  const store = await testStore(t, 'folder');
  const engine = await store.open();
  await engine.send(paid, NOBODY);
  await engine.close(0);
  const common = new (loadSqlite().DatabaseSync)(path.join(store.folder, 'runs/common.db'));
  // As if an earlier build had written it, which brings no checksum.
  assert.equal(common.prepare(`UPDATE messages SET body = '{'`).run().changes, 1);
  common.close();
  const again = await store.open();
  assert.deepEqual((await again.tasks()).tasks, []);
  await again.close(0);
});
