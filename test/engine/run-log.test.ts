import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { prepareLogFile, prepareLogFolder, saveLogFile, saveLogInFolder, toRunLog } from '../../src/engine/records/log-file.js';
import { logLine, verboseLine } from '../../src/engine/records/terminal-lines.js';
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

const line = (entry: Partial<LogEntry>) =>
  verboseLine({ time: '2026-03-02T09:00:00.000Z', type: 'log', ...entry }, { colour: false });

test('a log entry is one line, whatever was logged', () => {
  assert.equal(
    logLine({ time: '', type: 'log', message: 'paid\nWorkflow completed.\u001b[2J\r' }),
    'paid\\nWorkflow completed.\\u001b[2J\\r',
  );
  assert.equal(line({ type: 'log', message: 'x' }), undefined);
});

test('shows steps with their duration', () => {
  assert.equal(line({ type: 'step', step: 'Fetch It', line: 10, event: 'start' }), 'step Fetch It');
  assert.equal(
    line({ type: 'step', step: 'Fetch It', line: 10, event: 'end', durationMs: 15 }),
    'step Fetch It ended after 15 ms',
  );
});

test('shows calls with method, address, status, duration and attempt', () => {
  const call = {
    type: 'call',
    line: 11,
    step: 'Fetch',
    service: 'Api',
    kind: 'api',
    phrase: 'get it',
    method: 'GET',
    url: 'http://127.0.0.1:1/x',
    attempt: 1,
    durationMs: 34,
  } as const;
  assert.equal(line({ ...call, status: 200, ok: true }), 'line 11: Api GET http://127.0.0.1:1/x: 200, 34 ms, attempt 1');
  assert.equal(
    line({ ...call, status: 500, ok: false, error: 'status 500' }),
    'line 11: Api GET http://127.0.0.1:1/x: 500, 34 ms, attempt 1 (status 500)',
  );
  assert.equal(
    line({ ...call, ok: false, error: 'connection refused' }),
    'line 11: Api GET http://127.0.0.1:1/x: no answer, 34 ms, attempt 1 (connection refused)',
  );
  const { url: _url, ...plugin } = call;
  assert.equal(line({ ...plugin, service: 'Ledger', ok: true }), 'line 11: Ledger get it: ok, 34 ms, attempt 1');
  assert.equal(
    line({ ...plugin, attempt: 0, ok: false, error: 'its address is not set' }),
    'line 11: Api get it: not sent (its address is not set)',
  );
});

test('shows retries with their wait, waits, and warnings', () => {
  assert.equal(
    line({ type: 'retry', line: 11, service: 'Api', attempt: 2, waitMs: 5000 }),
    'line 11: Api: attempt 2 in 5 seconds',
  );
  assert.equal(line({ type: 'retry', line: 11, service: 'Api', attempt: 2, waitMs: 0 }), 'line 11: Api: attempt 2 immediately');
  assert.equal(line({ type: 'wait', line: 12, durationMs: 120_000 }), 'line 12: waiting 2 minutes');
  assert.equal(line({ type: 'warning', message: 'A is not set\n' }), 'warning: A is not set\\n');
});

test('shows variables', () => {
  const set = (value: LogEntry['value']) => line({ type: 'set', line: 13, name: 'total', value });
  assert.equal(set(42), 'line 13: total = 42');
  assert.equal(set('4"2\n\u001b'), 'line 13: total = "4\\"2\\n\\u001b"');
  assert.equal(set(null), 'line 13: total = empty');
  assert.equal(set({ a: [1, 'x'] }), 'line 13: total = {"a":[1,"x"]}');
  assert.equal(set(Array.from({ length: 51 }, () => 0)), 'line 13: total = a list of 51 items');
  assert.match(set('x'.repeat(1000)) ?? '', /^line 13: total = "x{499}… \(1002 characters\)$/);
});

test('uses colours only on request, and never from a value', () => {
  assert.equal(
    verboseLine({ time: '', type: 'warning', message: '\u001b[31mx' }, { colour: true }),
    '\u001b[33mwarning: \\u001b[31mx\u001b[39m',
  );
});
