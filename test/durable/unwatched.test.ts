// What a run logs, and the error that it ends with, after its caller was answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailedRun } from '../../src/durable/durable-engine.js';
import { begun, kept, storeKinds } from './kept.js';

for (const kind of storeKinds) {
  test(`a run that continues in another process tells its log lines and its error there (${kind})`, async (t) => {
    const { open, file } = await kept(t, kind);
    const prepared = await file('kept/error-after-message.wf');
    const first = await open();
    const { run, end } = await begun(first, prepared, { waits: 'yes', id: 'A-7' });
    assert.equal((await end).kind, 'paused');
    await first.close(0);
    const lines: string[] = [];
    const failed: FailedRun[] = [];
    const second = await open({
      onLog: (id, { message }, workflow) => void lines.push(`${workflow} ${id} ${message ?? ''}`),
      onError: (failure) => void failed.push(failure),
    });
    await second.send({ name: 'go', body: {}, run });
    await second.serve();
    assert.equal((await second.settled(run, 'ended', 20_000))?.status, 'error');
    assert.ok(lines.includes(`${prepared.basename} ${run} after A-7`), JSON.stringify(lines));
    assert.deepEqual(
      failed.map((failure) => [failure.run, failure.workflow, failure.file, failure.outcome.error?.line]),
      [[run, prepared.basename, 'error-after-message.wf', 11]],
    );
  });

  test(`the error of a run whose caller waits for it is told to the caller alone (${kind})`, async (t) => {
    const { open, file } = await kept(t, kind);
    const failed: FailedRun[] = [];
    const engine = await open({ onError: (failure) => void failed.push(failure) });
    const { end } = await begun(engine, await file('kept/error-after-message.wf'), { waits: 'no', id: 'A-7' });
    const ended = await end;
    assert.equal(ended.kind === 'outcome' && ended.outcome.status, 'error');
    assert.deepEqual(failed, []);
  });
}
