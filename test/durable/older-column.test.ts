// Earlier builds write a column that this one does not know any more. Both work over the same folder.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { begun, kept } from './kept.js';

test('a run with the column of an earlier build is shown, and continues; the column stays for that build', async (t) => {
  const { folder, file, open } = await kept(t, 'folder');
  const prepared = await file('kept/message.wf');
  const first = await open();
  const { run, end } = await begun(first, prepared);
  assert.equal((await end).kind, 'paused');
  await first.close(0);
  const { DatabaseSync } = loadSqlite();
  const stored = new DatabaseSync(path.join(folder, 'runs', 's0.db'));
  const reached = JSON.stringify({ 12: 1 });
  // As an earlier build writes it.
  stored.exec(`UPDATE runs SET reached = '${reached}'`);
  stored.close();
  const second = await open();
  await second.serve();
  assert.equal((await second.get(run))?.status, 'waiting');
  await second.send({ name: 'go', body: {}, run });
  assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
  await second.close(0);
  const after = new DatabaseSync(path.join(folder, 'runs', 's0.db'));
  t.after(() => after.close());
  assert.equal(after.prepare('SELECT reached FROM runs').get()?.reached, reached);
});
