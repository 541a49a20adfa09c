import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { prepareLogFile, prepareLogFolder, saveLogFile, saveLogInFolder, toRunLog } from '../../src/engine/records/log-file.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { completedWith, fakeRecord } from './prepared.js';

const folder = mkdtempSync(path.join(tmpdir(), 'wf-log-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const time = '2026-03-02T09:00:00.100Z';
const entry = (more: Partial<LogEntry> = {}): LogEntry => ({ time, type: 'log', message: 'x', ...more });

test('writes the whole log of a completed run, key by key', () => {
  const outcome = completedWith({ id: 5 }, [{ message: 'hello', line: 13, step: 'Fetch', type: 'log', time }]);
  const log = toRunLog(fakeRecord(outcome, { request: { a: 1 } }));
  assert.equal(
    JSON.stringify(log),
    JSON.stringify({
      schema: 'wf-log/1',
      runId: '00000000-0000-4000-8000-000000000000',
      workflow: 'Order',
      version: 3,
      file: 'flows/order.wf',
      trigger: 'an order',
      mock: false,
      status: 'completed',
      startedAt: '2026-03-02T09:00:00.000Z',
      finishedAt: '2026-03-02T09:00:01.250Z',
      durationMs: 1250,
      request: { a: 1 },
      outputs: { id: 5 },
      entries: [{ time, type: 'log', step: 'Fetch', line: 13, message: 'hello' }],
    }),
  );
});

test('rejected has a message; error also has a place', () => {
  const rejected = toRunLog(fakeRecord({ status: 'rejected', message: 'no stock', log: [] }));
  assert.deepEqual(
    [rejected.status, rejected.message, 'outputs' in rejected, 'error' in rejected],
    ['rejected', 'no stock', false, false],
  );
  const failed = toRunLog(
    fakeRecord({ status: 'error', message: 'm', error: { message: 'm', line: 9, column: 5, length: 3, code: 'WF601' }, log: [] }),
  );
  assert.equal(failed.message, 'm');
  assert.deepEqual(failed.error, { message: 'm', line: 9, column: 5, code: 'WF601' });
  const placeless = toRunLog(
    fakeRecord({ status: 'error', message: 'interrupted', error: { message: 'interrupted', code: 'WF691' }, log: [] }),
  );
  assert.deepEqual(placeless.error, { message: 'interrupted', code: 'WF691' });
});

test('redacts secrets everywhere: values, keys, numbers, entries, JSON-escaped', () => {
  const secret = 'top"secret-987';
  const outcome = {
    ...completedWith({ [secret]: [secret, { deep: `x ${secret}` }], code: 123456 }, [
      entry({
        message: `key is ${secret}`,
        step: secret,
        url: `https://x/${encodeURIComponent(secret)}`,
        headers: { a: secret },
      }),
    ]),
  };
  const log = toRunLog(
    fakeRecord(outcome, { request: { token: secret, json: JSON.stringify({ secret }) }, secrets: [secret, '123456'] }),
  );
  const text = JSON.stringify(log);
  assert.doesNotMatch(text, /secret-987|123456/);
  assert.equal(log.entries[0]?.message, 'key is [redacted]');
  const failed = toRunLog(
    fakeRecord({ status: 'error', message: secret, error: { message: secret, code: 'WF650' }, log: [] }, { secrets: [secret] }),
  );
  assert.deepEqual([failed.message, failed.error?.message], ['[redacted]', '[redacted]']);
});

test('never writes set entries; past 10,000, one entry gives the number dropped', () => {
  const many = Array.from({ length: 10_003 }, (_, index) => entry({ message: `line ${index}` }));
  const log = toRunLog(
    fakeRecord({ ...completedWith({}, [entry({ type: 'set', name: 'total', value: 42 }), ...many]), dropped: 40 }),
  );
  assert.equal(log.entries.length, 10_001);
  assert.deepEqual(log.entries[9999]?.message, 'line 9999');
  assert.deepEqual(log.entries[10_000], {
    time: '2026-03-02T09:00:01.250Z',
    type: 'warning',
    message: '43 more entries were dropped.',
    dropped: 43,
  });
  assert.equal(toRunLog(fakeRecord(completedWith({}, [entry({ type: 'set' })]))).entries.length, 0);
});

test('an input field called __proto__ is data', () => {
  const log = toRunLog(
    fakeRecord(completedWith(), { request: JSON.parse('{"__proto__": {"a": "topsecret"}}'), secrets: ['topsecret'] }),
  );
  assert.equal(JSON.stringify(log.request), '{"__proto__":{"a":"[redacted]"}}');
});

test('a log file: creates its folder, pretty-prints, and replaces it whole', async () => {
  const file = await prepareLogFile('made/deep/run.json', folder);
  assert.equal(file, path.join(folder, 'made/deep/run.json'));
  assert.deepEqual(readdirSync(path.dirname(file)), []);
  assert.deepEqual(await saveLogFile(file, fakeRecord(completedWith({ n: 1 }))), { file });
  await saveLogFile(file, fakeRecord(completedWith({ n: 2 })));
  const text = readFileSync(file, 'utf8');
  assert.match(text, /^\{\n {2}"schema": "wf-log\/1",\n[\s\S]*\}\n$/);
  assert.deepEqual(JSON.parse(text).outputs, { n: 2 });
  assert.deepEqual(readdirSync(path.dirname(file)), ['run.json']);
});

test('a path that cannot be written is wrong usage, before anything runs', async () => {
  writeFileSync(path.join(folder, 'file.txt'), 'x');
  mkdirSync(path.join(folder, 'a-folder'), { recursive: true });
  const usage = (pattern: RegExp) => (error: unknown) => error instanceof UsageError && pattern.test(error.message);
  await assert.rejects(
    prepareLogFile('file.txt/deeper/log.json', folder),
    usage(/^The log can't be written to file\.txt\/deeper\/log\.json: part of the path is a file, not a folder\.$/),
  );
  await assert.rejects(prepareLogFile('file.txt/log.json', folder), usage(/something else has that name|is a file/));
  await assert.rejects(prepareLogFile('a-folder', folder), usage(/a-folder: it is a folder/));
  await assert.rejects(prepareLogFile('', folder), usage(/--output-log/));
  await assert.rejects(prepareLogFile('a\0b', folder), usage(/NUL/));
  await assert.rejects(prepareLogFolder('file.txt', folder), usage(/file\.txt/));
});

test('a folder gets one file per run, named after its start, never overwritten', async () => {
  const logs = await prepareLogFolder('runs', folder);
  const record = fakeRecord(completedWith());
  assert.deepEqual(await saveLogInFolder(logs, record), { file: path.join(logs, '2026-03-02T09-00-00-000Z.json') });
  assert.deepEqual(await saveLogInFolder(logs, record), { file: path.join(logs, '2026-03-02T09-00-00-000Z-2.json') });
  assert.equal(readdirSync(logs).length, 2);
});

test('a log that fails at the end prints a sentence and keeps the outcome', async () => {
  const record = fakeRecord(completedWith());
  const full = await saveLogFile('/dev/full', record);
  assert.deepEqual(full, {
    problem: 'The log could not be written to /dev/full: the disk is full. The run ended as completed.',
  });
  const gone = await saveLogInFolder(path.join(folder, 'gone'), record);
  assert.match('problem' in gone ? gone.problem : '', /it does not exist/);
});
