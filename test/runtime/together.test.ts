// Work at the same time, in memory: how many run together, what ends a block, and what each branch has for itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed, type Main, rejected } from '../../runtime/define.js';
import type { Run } from '../../runtime/run/run.js';
import { atTheSameTime, type BranchEnd, roundsTogether } from '../../runtime/run/together.js';
import type { LogEntry, RunDetails, Value } from '../../runtime/types.js';
import { WfError } from '../../runtime/values/errors.js';
import { runMain } from '../services/stub.js';

const place = { line: 7, site: 0 };
const never = (): Promise<never> => new Promise(() => undefined);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** The outcome of these branches. */
const ofBranches =
  (...branches: ((run: Run) => Promise<BranchEnd>)[]): Main =>
  (run) =>
    atTheSameTime(run, place, branches);

test('never more rounds than asked for, and what they add is in the order of the list', async () => {
  let [now, most] = [0, 0];
  const list = Array.from({ length: 30 }, (_, index) => index);
  const main: Main = async (run) => {
    const { end, added } = await roundsTogether(run, place, list, 4, 1, async (_, item, lists) => {
      most = Math.max(most, ++now);
      for (let turns = (Number(item) * 7) % 5; turns > 0; turns--) await turn();
      lists[0]?.push(item, 'and');
      now--;
      return undefined;
    });
    assert.equal(end, undefined);
    return completed([['added', [...(added[0] ?? [])]]]);
  };
  const { outputs } = await runMain(main);
  assert.equal(most, 4);
  assert.deepEqual(
    outputs?.added,
    list.flatMap((item) => [item, 'and']),
  );
});

test('the branch that ends the run aborts what the others wait for, and closes their steps', async () => {
  let aborted = false;
  const main = ofBranches(
    async (run) => {
      run.enter('Slow', 8);
      await run.within(60_000, (cancellation) => {
        cancellation.onAbort(() => {
          aborted = true;
        });
        return never();
      });
      run.log('too late', 9);
      return undefined;
    },
    async (run) => {
      run.enter('Quick', 11);
      run.log('first', 12);
      return completed([['by', 'quick']]);
    },
  );
  const { outputs, log } = await runMain(main);
  assert.deepEqual([outputs, aborted], [{ by: 'quick' }, true]);
  assert.deepEqual(
    log.map(({ type, step, event, message }) => [type, step, event ?? message]),
    [
      ['step', 'Slow', 'start'],
      ['step', 'Quick', 'start'],
      ['log', 'Quick', 'first'],
      ['step', 'Quick', 'end'],
      ['step', 'Slow', 'end'],
    ],
  );
});

test('of several ends in one turn, the first in the file counts; a later turn is too late', async () => {
  const ending = (turns: number, end: BranchEnd | ReturnType<typeof completed> | Error) => async (): Promise<BranchEnd> => {
    for (let left = turns; left > 0; left--) await turn();
    // A few microtasks do not make another turn.
    for (let left = 5; left > 0; left--) await null;
    if (end instanceof Error) throw end;
    return end;
  };
  const same = await runMain(ofBranches(ending(1, undefined), ending(1, rejected('one')), ending(1, completed([]))));
  assert.equal(same.message, 'one');
  const later = await runMain(ofBranches(ending(3, rejected('slow')), ending(1, completed([['is', 'quick']]))));
  assert.deepEqual(later.outputs, { is: 'quick' });
  const failed = await runMain(ofBranches(ending(1, new RangeError('too large')), ending(1, completed([]))));
  assert.equal(failed.status, 'error');
  const all = await runMain(ofBranches(ending(2, undefined), ending(0, undefined)));
  assert.equal(all.status, 'completed');
});

test('after stop the loop no round starts, and those that have started count', async () => {
  const begun: Value[] = [];
  const { outputs } = await runMain(async (run) => {
    const { added } = await roundsTogether(run, place, [0, 1, 2, 3, 4, 5, 6], 3, 1, async (_, item, lists) => {
      begun.push(item);
      for (let left = item === 1 ? 2 : 6; left > 0; left--) await turn();
      if (item === 1) return 'stop';
      lists[0]?.push(item);
      return undefined;
    });
    return completed([['added', [...(added[0] ?? [])]]]);
  });
  assert.deepEqual(
    [begun, outputs?.added],
    [
      [0, 1, 2],
      [0, 2],
    ],
  );
});

test('now moves on in the branch that waits, and below the block it is the latest', async () => {
  const main: Main = async (run) => {
    const start = run.now;
    const seen: string[] = [];
    await atTheSameTime(run, place, [
      async (branch) => {
        await branch.wait(2, 'hours', [8, 1, 1], 1);
        seen.push(branch.now);
        return undefined;
      },
      async (branch) => {
        await branch.wait(1, 'hours', [9, 1, 1], 2);
        seen.push(branch.now);
        return undefined;
      },
      async (branch) => {
        assert.equal(branch.now, start);
        return undefined;
      },
    ]);
    const [quick = '', slow = ''] = seen;
    return completed([['isOrdered', start < quick && quick < slow && run.now === slow]]);
  };
  const { outputs } = await runMain(main, { mock: true });
  assert.deepEqual(outputs, { isOrdered: true });
});

test('whoever cancels the run, or its time limit, ends every branch', async () => {
  const waiting = ofBranches(
    async (run) => {
      await run.pause(60_000);
      return undefined;
    },
    async (run) => {
      await atTheSameTime(run, place, [(inner) => inner.within(60_000, never), async () => undefined]);
      return undefined;
    },
  );
  const stop = new AbortController();
  setImmediate(() => stop.abort(new Error('a person stopped it')));
  const cancelled = await runMain(waiting, { signal: stop.signal });
  assert.deepEqual([cancelled.error?.code, cancelled.message?.includes('a person stopped it')], ['WF691', true]);
  const late = await runMain(waiting, { timeoutMs: 30 });
  assert.equal(late.error?.code, 'WF690');
});

test('rounds that never wait let other work run', async () => {
  const list = Array.from({ length: 20_000 }, (_, index) => index);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { outputs } = await runMain(async (run) => {
    const { added } = await roundsTogether(run, place, list, 100, 1, async (_, item, lists) => {
      lists[0]?.push(item);
      return undefined;
    });
    return completed([['count', added[0]?.length]]);
  });
  isOver = true;
  assert.equal(outputs?.count, list.length);
  assert.ok(turns > 1, `${turns} turns`);
});

test('a listener of the log that fails while a branch closes its steps ends the run, and neither hangs it nor escapes', async () => {
  const faults: unknown[] = [];
  const onLog = ({ event }: LogEntry): void => {
    if (event === 'end') throw new Error('The disk is full.');
  };
  const onEnd = ({ cause }: RunDetails): void => void faults.push(cause instanceof Error ? cause.message : cause);
  const inStep =
    (end: () => Promise<BranchEnd>) =>
    (run: Run): Promise<BranchEnd> => {
      run.enter('Step', 8);
      return end();
    };
  const waiting = (run: Run): Promise<BranchEnd> => {
    run.enter('Slow', 9);
    return run.within(60_000, never);
  };
  for (const end of [async () => completed([]), async () => 'stop' as const]) {
    const outcome = await runMain(ofBranches(inStep(end)), { onLog, onEnd });
    assert.deepEqual([outcome.status, outcome.error?.code], ['error', 'WF699'], outcome.message);
  }
  // What the branch says counts more.
  const failed = await runMain(ofBranches(inStep(() => Promise.reject(new WfError('WF601', 'It is text.')))), { onLog });
  assert.equal(failed.message, 'It is text.');
  // The branch that is aborted fails; what the other one did counts.
  const { outputs } = await runMain(
    ofBranches(waiting, async () => completed([['by', 'quick']])),
    { onLog },
  );
  assert.deepEqual(outputs, { by: 'quick' });
  assert.deepEqual(new Set(faults), new Set(['The disk is full.']));
});

test('a listener of progress that fails ends the run', async () => {
  const onProgress = (): void => {
    throw new Error('no terminal');
  };
  const list = Array.from({ length: 100 }, (_, index) => index);
  const main: Main = async (run) => (await roundsTogether(run, place, list, 2, 0, async () => undefined)).end;
  const { status, error } = await runMain(main, { onProgress });
  assert.deepEqual([status, error?.code], ['error', 'WF699']);
});
