// Costly rounds of a loop use up its time slice: it checks the clock after a few of them, however many cheap rounds came before.
// Counts checks instead of measuring time.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Run } from '../../runtime/run/run.js';
import type { WfRecord } from '../../runtime/types.js';
import { compile } from '../../src/compiler/compile.js';
import { workflow } from '../commands/wf.js';
import { loadEmitted } from '../compiler/load-emitted.js';

const HEAVY = 24;

/** Values that take a fraction of a millisecond to read. */
const request: WfRecord = {
  record: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, index])),
  numbers: Array.from({ length: 60_000 }, (_, index) => index),
  rows: Array.from({ length: 60_000 }, (_, index) => ({ n: index })),
  text: 'x'.repeat(600_000),
  words: 'a b '.repeat(30_000),
  light: Array.from({ length: 4_000 }, () => 1),
  heavy: Array.from({ length: HEAVY }, (_, index) => index),
};

/**
 * Maximum rounds between two checks of the clock, in a loop with this statement after one of cheap rounds. At most one if the statement
 * checks the clock itself in each round.
 */
async function roundsBetweenLooks(t: TestContext, statement: string): Promise<number> {
  const all = t.mock.method(Run.prototype, 'nextSlice').mock;
  const text = workflow(
    ['set copy to request.record', 'set list to request.numbers', 'set total to 0', 'set found to 0']
      .concat('for each one in request.light:', '    set total to total plus one')
      .concat('for each item in request.heavy:', `    ${statement}`, 'complete with total total')
      .map((line) => `    ${line}`)
      .join('\n'),
  );
  const compiled = compile(Buffer.from(text), { file: 'costly.wf' });
  assert.ok(!compiled.hasErrors, JSON.stringify(compiled.diagnostics));
  const { run } = await loadEmitted(compiled.emitted.code);
  const loops: { readonly rounds: number; readonly total: number }[] = [];
  const { status, message } = await run(request, {
    env: {},
    onProgress: (_line, rounds, total) => void loops.push({ rounds, total }),
  });
  assert.equal(status, 'completed', `${statement}: ${message}`);
  // Of the first few copies, none is counted.
  if (all.callCount() - loops.length >= HEAVY - 8) return 1;
  const looks = loops.filter(({ total }) => total === HEAVY).map(({ rounds }) => rounds);
  return Math.max(...[...looks, HEAVY].map((rounds, index) => rounds - (looks[index - 1] ?? 0)));
}

for (const statement of [
  'set copy.field0 to item',
  'set copy.{item} to item',
  'set found to sum of list',
  'set found to sum of request.rows.n',
  'set found to highest of list',
  'set found to request.numbers sorted',
  'set found to unique of list',
  'set found to first 3 of list',
  'set found to position of 59999 in list',
  'set found to list contains 59999',
  'set found to item is one of list',
  'set found to list plus [item]',
  'set found to each n in list where n is above 5',
  'set found to count of request.text',
  'set found to uppercase of request.text',
  'set found to trimmed request.text',
  'set found to request.words split by " "',
  'set found to request.words with " " replaced by ""',
  'set found to request.text contains "y"',
  'set found to request.text is like "*y"',
  'set found to text of list',
  'log request.text',
  'log "{request.text}."',
]) {
  test(`a loop with "${statement}" checks the clock after a few rounds`, async (t) => {
    const rounds = await roundsBetweenLooks(t, statement);
    assert.ok(rounds <= 9, `${rounds} rounds without a look`);
  });
}

test('cheap rounds share a check of the clock', async (t) => {
  assert.equal(await roundsBetweenLooks(t, 'set found to item times 2'), HEAVY);
});
