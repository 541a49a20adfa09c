// Runs that a command stays for continue after their pauses, although its process takes care of no others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begun, kept, storeKinds } from './kept.js';

for (const kind of storeKinds)
  test(`an attended run continues when its time has come or a message is there; others stay as they are (${kind})`, async (t) => {
    const { open, file } = await kept(t, kind);
    const prepared = await file('kept/message-or-silence.wf');
    const [engine, sender] = [await open(), await open()];
    const ids: string[] = [];
    for (const seconds of [2, 3_600, 3_600]) {
      const { run, end } = await begun(engine, prepared, { seconds });
      assert.equal((await end).kind, 'paused');
      ids.push(run);
    }
    const [silent = '', called = '', other = ''] = ids;
    await sender.send({ name: 'go', body: {}, run: called });
    for (const id of [silent, called]) engine.attend(id);
    const ended = await Promise.all([silent, called].map((id) => engine.settled(id, 'ended', 60_000)));
    assert.deepEqual(
      ended.map((state) => [state?.status, state?.outputs]),
      [
        ['completed', { came: false }],
        ['completed', { came: true }],
      ],
    );
    assert.equal((await engine.state(other))?.status, 'waiting');
  });
