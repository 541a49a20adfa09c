// A process that is killed while a called workflow sends a request, or right after its answer: another process continues inside that
// workflow, on either store. The slow stage tries each request.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { cli, root, skipUnlessSlow } from '../root.js';
import type { Ledger, Received } from './ledger.js';
import { dropTemplate } from './test-database.js';
import { type StoreKind, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

/** A process is killed when the service gets this request, or when it has answered it. */
interface Point {
  readonly step: number;
  readonly when: 'sent' | 'answered';
}

const [usual, ...others]: readonly Point[] = [3, 1, 2, 4].flatMap((step) => [
  { step, when: 'sent' },
  { step, when: 'answered' },
]);

/** Which steps were received again: at most the one that was in doubt, with the same key. */
function assertReceived({ received }: Ledger, { step, when }: Point): void {
  const steps = received.map((one) => one.step);
  const again = steps.filter((one, index) => steps.indexOf(one) < index);
  // Once it was answered, its record may be on disk, and the next one on its way.
  const inDoubt = when === 'sent' ? [step] : [step, step + 1];
  assert.ok(again.length <= 1 && again.every((one) => inDoubt.includes(one)), JSON.stringify(again));
  if (when === 'sent') assert.deepEqual(again, [step]);
  assert.deepEqual(
    steps.filter((one, index) => one !== steps[index - 1]),
    [1, 2, 3, 4],
  );
  assert.equal(new Set(received.map(({ key }) => key)).size, 4, 'the one in doubt keeps its key');
}

function killTest(kind: StoreKind, point: Point): void {
  const where = `${point.when === 'sent' ? 'during' : 'after'} call ${point.step} inside of called workflows`;
  const skip = point !== usual && skipUnlessSlow;
  test(`killed ${where}, a run continues there in another process (${kind})`, { skip }, async (t) => {
    const { folder, ledger, env, open, database = 'runs' } = await testStore(t, kind);
    cpSync(path.join(root, 'test/durable/files/called-kill'), folder, { recursive: true });
    const runner = spawn(process.execPath, [cli, 'run', 'main.wf', '--store', database], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const kill = ({ step }: Received): void => {
      if (step === point.step) runner.kill('SIGKILL');
    };
    const { answer } = ledger;
    if (point.when === 'sent') {
      // It is in doubt whether this request was received.
      ledger.onRequest = kill;
      ledger.delayMs = () => 50;
    } else {
      ledger.answer = (received) => {
        setImmediate(kill, received);
        return answer(received);
      };
    }
    await once(runner, 'exit');
    ledger.onRequest = () => undefined;
    ledger.answer = answer;
    const store = await open();
    const [run] = (await store.list({})).runs;
    const calledBefore = (await store.list({ parent: run?.run ?? '' })).runs.map((one) => one.run);
    assert.equal(calledBefore.length, 1);
    await store.serve();
    const state = await store.settled(run?.run ?? '', 'ended', 60_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { done: true }], state?.message);
    assertReceived(ledger, point);
    const [child] = (await store.list({ parent: run?.run ?? '' })).runs;
    const [grandchild] = (await store.list({ parent: child?.run ?? '' })).runs;
    assert.deepEqual([[child?.run], child?.status, grandchild?.status], [calledBefore, 'completed', 'completed']);
  });
}

for (const kind of storeKinds) for (const point of usual === undefined ? [] : [usual, ...others]) killTest(kind, point);
