// `failure.attempts` counts what was sent, for every kind of service, with a store and without one.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { LogEntry, Outcome, Transport } from '../../runtime/types.js';
import { isOutside, RunHistory } from '../../src/durable/views/run-history.js';
import { createEngine } from '../../src/engine/engine.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { root } from '../root.js';
import { journaledFile } from './journaled.js';
import { testStore } from './test-store.js';

const kinds = 'path, address, sign-in, certificate, webhook, AI, plugin, table, database, mail, mail server, folder'.split(', ');
const request = { dots: '..', table: 'a\0b', lines: 'ada@example.com\r\nBcc: eve@example.com' };

async function scene(
  folder: string,
  more: Readonly<Record<string, string>>,
  name = 'unsent.wf',
): Promise<{ prepared: Prepared; env: typeof more }> {
  copyFileSync(path.join(root, 'test/durable/files', name), path.join(folder, name));
  mkdirSync(path.join(folder, 'reports'));
  writeFileSync(path.join(folder, 'none.mjs'), 'export const nothing = null;\n');
  const env = { ...more, HERE_URL: 'http://127.0.0.1:9', WRONG_URL: 'http://[wrong', CLIENT_SECRET: 'very secret' };
  const prepared = await prepare(name, { cwd: folder, env });
  assert.ok(prepared.ok, JSON.stringify(prepared));
  return { prepared: prepared.prepared, env };
}

function assertUnsent({ status, outputs, message }: Partial<Outcome>, log: readonly LogEntry[]): void {
  assert.equal(status, 'completed', message);
  assert.deepEqual(
    outputs?.found,
    kinds.map((kind) => `${kind} 0 false`),
  );
  const calls = log.filter(({ type }) => type === 'call');
  assert.deepEqual(
    calls.map(({ attempt, ok }) => [attempt, ok]),
    kinds.map(() => [0, false]),
  );
}

test('a call that failed before anything was sent made no attempt', async (t) => {
  const { folder, env: base } = await testStore(t, 'folder');
  const { prepared, env } = await scene(folder, base);
  const engine = createEngine({ env, secrets: [] });
  t.after(() => engine.close());
  const log: LogEntry[] = [];
  const { outcome } = await engine.run(prepared, request, { folder, onLog: (entry) => void log.push(entry) });
  assertUnsent(outcome, log);
});

test('the same in a store', async (t) => {
  const { folder, env: base, open } = await testStore(t, 'folder');
  const { prepared, env } = await scene(folder, base);
  const engine = await open({ env });
  const started = await engine.start({ prepared, request });
  assert.ok(started.kind === 'started');
  const ended = await started.end;
  assert.ok(ended.kind === 'outcome');
  assertUnsent(ended.outcome, await engine.log(started.run));
});

test('a second attempt that was not sent is none in the log, the journal and the history', async (t) => {
  const { folder, env: base, open } = await testStore(t);
  const { prepared, env } = await scene(folder, base, 'second-unsent.wf');
  let asked = 0;
  const transport: Transport = async () => {
    if (++asked % 2 === 0) throw Object.assign(new Error('no proxy'), { code: 'ERR_WF_PROXY' });
    return { status: 503, headers: {}, body: new Uint8Array() };
  };
  const engine = await open({ env, transport });
  const started = await engine.start({ prepared, request });
  assert.ok(started.kind === 'started');
  await started.end;
  const log = await engine.log(started.run);
  const { entries = [] } = (await engine.journal(started.run)) ?? {};
  const attempts = [1, 0, 1, 0];
  for (const all of [log.filter(({ type }) => type === 'call'), entries.filter(({ kind }) => kind === 'call')])
    assert.deepEqual(
      all.map(({ attempt }) => attempt),
      attempts,
    );
  assert.deepEqual(
    log.filter(({ type }) => type === 'log').map(({ message }) => message),
    ['1 attempts', '1 attempts'],
  );
  const history = new RunHistory();
  history.feed(entries);
  assert.deepEqual(
    history.effects.filter(isOutside).map((effect) => [effect.attempts, effect.failedAttempts]),
    [
      [1, 2],
      [1, 2],
    ],
  );
});

test('attempts that were sent count, even if the last one was not', async () => {
  const prepared = await journaledFile('one-retried.wf');
  let loads = 0;
  const loadPlugin = async (): Promise<unknown> => {
    if (++loads > 2) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    return { call: () => Promise.reject(new Error('busy')) };
  };
  const { error } = await prepared.run({}, { loadPlugin });
  assert.match(error?.message ?? '', /^Work: do work failed after 2 attempts, and was not sent again: the plugin /);
});
