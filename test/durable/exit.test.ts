// A process that exits at once, as after a second Ctrl+C, while the thread of its store is working.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { entryKinds } from '../../src/durable/model/entries.js';
import type { StoreWrite } from '../../src/durable/model/run-rows.js';
import { startStoreClient } from '../../src/durable/store/sqlite/store-client.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';

/** Enough for several tenths of a second. */
const ROWS = 100_000;

const script = fileURLToPath(import.meta.url);
const folder = process.argv[2];

/** Exits in the middle of a long commit. */
async function exitWhileWriting(folder: string): Promise<void> {
  const { writer } = await startStoreClient({ folder, key: undefined, isRekeying: false }, () => undefined);
  const { shard } = await writer.takeShard(true);
  const rows = Array.from(
    { length: ROWS },
    (_, pos): StoreWrite => ['entry', 1, pos, null, pos, 2, entryKinds.call, 0, pos, 0, '{"r":{"ok":true}}'],
  );
  const written = (): number => statSync(path.join(folder, `s${shard}.db-wal`)).size;
  const before = written();
  void writer.commit(shard, rows).catch(() => undefined);
  // What does not fit into memory is written before the end of the commit.
  await until(() => written() > before);
  process.exit(130);
}

if (folder === undefined)
  test('a process that exits while its store is written does not abort', (t) => {
    const folder = temporaryFolder(t);
    const { status, signal, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    assert.deepEqual([status, signal], [130, null], stderr);
  });
else await exitWhileWriting(folder);
