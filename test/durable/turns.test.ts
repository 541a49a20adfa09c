// The turns of calls that several processes share: what a question to the database could not tell, the next one tells.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lease } from '../../src/durable/store/postgres/lease.js';
import type { PostgresDatabase } from '../../src/durable/store/postgres/postgres-database.js';
import { PostgresTurns } from '../../src/durable/store/postgres/turns.js';
import type { TextSealing } from '../../src/durable/store/shared/sealing.js';
import { standIn } from '../stand-in.js';
import { until } from '../until.js';

interface Question {
  readonly done: readonly string[];
  readonly wanted: readonly string[];
}

/** @param answer which of the wanted turns are given */
function turnsOf(answer: (question: Question) => readonly string[] | Promise<readonly string[]>) {
  const questions: Question[] = [];
  const database = {
    persist: <T>(work: () => Promise<T>): Promise<T> => work(),
    async query(_sql: string, _key: string, _process: string, done: string[], wanted: string[]) {
      const question = { done, wanted };
      questions.push(question);
      return [{ taken: await answer(question), wait_ms: null }];
    },
  };
  const sealing = { hash: (text: string) => Buffer.from(text) };
  const turns = new PostgresTurns(
    standIn<PostgresDatabase>(database),
    standIn<Lease>({ process: 'p' }),
    standIn<TextSealing>(sealing),
  );
  return { turns, questions };
}

test('the end of a turn is reported again if the database could not take it', async () => {
  let hasFailed = false;
  const { turns, questions } = turnsOf(({ done, wanted }) => {
    if (done.length === 0 || hasFailed) return wanted;
    hasFailed = true;
    throw new Error('The function does not exist.');
  });
  const { turn, leave } = turns.take('https://service', { atOnce: 1 });
  await turn;
  leave();
  await until(() => questions.length === 3);
  assert.deepEqual(
    questions.map(({ done }) => done),
    [[], questions[0]?.wanted, questions[0]?.wanted],
  );
  await turns.close();
});

test('a call that begins while the end of another one is being told asks at once', async (t) => {
  // Older types of Node.js know another form only.
  t.mock.timers.enable({ apis: ['setTimeout'] } as never);
  let tell: () => void = () => undefined;
  const { turns, questions } = turnsOf(async ({ done, wanted }) => {
    if (done.length > 0)
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    return wanted;
  });
  const turnsOfLoop = async (): Promise<void> => {
    for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve));
  };
  const first = turns.take('https://service', { atOnce: 1 });
  await first.turn;
  first.leave();
  await turnsOfLoop();
  assert.equal(questions.length, 2);
  const second = turns.take('https://service', { atOnce: 1 });
  tell();
  await turnsOfLoop();
  t.mock.timers.tick(1);
  await second.turn;
  assert.equal(questions.length, 3);
  t.mock.timers.reset();
  await turns.close();
});
