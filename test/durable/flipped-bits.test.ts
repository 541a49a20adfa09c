// One bit of a store in a folder is another one than was written: everything that is shown, exported or continued is as it was, or reported as
// damaged; nothing is silently different.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { crcByTable, createSealing } from '../../src/durable/store/shared/sealing.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { until } from '../until.js';
import { begun, type Kept, kept } from './kept.js';
import { randomFrom } from './random-from.js';

/** Bits that are flipped, one at a time. */
const FLIPS = Number(process.env.WF_TEST_FLIPS ?? (process.env.WF_TEST_SLOW === '1' ? 100 : 15));

const SEED = Number(process.env.WF_TEST_SEED ?? 58);

/** Of more flips, all that are not noticed are listed. */
const MOST_AT_ONCE = 100;

/** Bits that were not noticed once, in the layout that this test's store had then. */
const SEEN = [
  [19_582, 0], // a version, read together with its runs
  [3_601, 0], // a trigger
  [43_580, 2], // the kind of an entry, among those that are counted
] as const;

/** What may be said instead of the truth. */
const REPORTED =
  /is damaged|newer wf|belongs to another program|encrypted with another key|is encrypted, and|written without a key|is empty|is missing|of the plugin|cannot be used/;

/** The part of an answer that is the same whenever it is asked for. */
const lasting = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'durationMs' ? undefined : value)) ?? 'null');

/** What the store tells of one run; an error in words counts as a report. */
async function told(engine: DurableEngine, run: string): Promise<unknown[]> {
  const asked = [engine.state(run), engine.get(run), engine.log(run), engine.journal(run)];
  return (await Promise.allSettled<unknown>(asked)).map((answer) =>
    answer.status === 'fulfilled' ? lasting(answer.value) : wordsOf(answer.reason),
  );
}

/** @throws an error that says nothing to its reader */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error) || error.name !== 'UsageError' || !REPORTED.test(error.message)) throw error;
  return error.message;
}

const isReport = (answer: unknown): boolean => REPORTED.test(JSON.stringify(answer) ?? '');

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
async function madeStore({ open, file }: Kept, env: Record<string, string>): Promise<{ truth: Truth; prepared: Prepared }> {
  const first = await open({ env });
  await first.serve();
  const prepared = await file('kept/calls-around-a-message.wf');
  const runs: string[] = [];
  for (const n of [1, 2, 3, 4, 5, 6]) {
    const { run, end } = await begun(first, prepared, { n, customer: `Customer ${n}` });
    await end;
    runs.push(run);
  }
  const finished = runs.slice(0, 3);
  for (const run of finished) {
    await first.send({ name: 'go', body: {}, run });
    await first.settled(run, 'ended', 20_000);
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

/** Flips that are tried at the same time: each spends most of its time waiting. */
const LANES = 6;

for (const isEncrypted of [false, true])
  test(`a flipped bit is noticed, or changes nothing${isEncrypted ? ' (encrypted)' : ''}`, async (t) => {
    const store = await kept(t, 'folder');
    const { folder, open, ledger } = store;
    const env = isEncrypted ? { ...store.env, WF_STORE_KEY: Buffer.alloc(32, 7).toString('base64') } : store.env;
    const { truth } = await madeStore(store, env);
    const random = randomFrom(SEED + (isEncrypted ? 1 : 0));
    const bytes = statSync(path.join(folder, 'runs/s0.db')).size;
    let [begunFlips, noticed] = [0, 0];
    const flip = async (copy: string, number: number): Promise<void> => {
      const [at, bit] = SEEN[number] ?? [Math.floor(random() * bytes), Math.floor(random() * 8)];
      rmSync(copy, { recursive: true, force: true });
      cpSync(path.join(folder, 'runs'), path.join(copy, 'runs'), { recursive: true });
      const file = path.join(copy, 'runs/s0.db');
      const content = readFileSync(file);
      content[at] = (content[at] ?? 0) ^ (1 << bit);
      writeFileSync(file, content);
      const said: string[] = [];
      const sent = ledger.received.length;
      try {
        const engine = await open({ env, cwd: copy, onProblem: (sentence) => void said.push(sentence) }).catch(wordsOf);
        if (typeof engine === 'string') noticed++;
        else {
          if (await compare(engine, truth, said)) noticed++;
          await proceed(engine, truth, said);
          await engine.close(0);
        }
        for (const { step } of ledger.received.slice(sent)) assert.ok(step > 1, 'a recorded call was sent again');
      } catch (error) {
        const where = `Bit ${bit} of byte ${at} (page ${Math.floor(at / 4096) + 1}, ${at % 4096})`;
        if (FLIPS <= MOST_AT_ONCE) throw new Error(where, { cause: error });
        console.error(where, error);
        failed.push(where);
      }
    };
    const failed: string[] = [];
    const lane = async (_: unknown, number: number): Promise<void> => {
      while (begunFlips < FLIPS) await flip(path.join(folder, `copy${number}`), begunFlips++);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    assert.deepEqual(failed, []);
    assert.ok(noticed > 0);
  });

test('the checksum is that of zlib, whatever Node.js provides', () => {
  assert.equal(crcByTable('123456789', 0), 0xcbf43926);
  assert.equal(crcByTable(Buffer.from('6789'), crcByTable('12345', 0)), 0xcbf43926);
  const { sum } = createSealing(undefined, new Uint8Array(32));
  assert.equal(sum('äx'), crcByTable('äx', 0) | 0);
  for (const text of ['äx', 'a short text', 'long'.repeat(200)]) assert.equal(sum(text), sum([text]));
  assert.equal(sum(['ä', Buffer.from('x')]), sum('äx'));
});
