import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { logLine, verboseLine } from '../../src/engine/records/terminal-lines.js';

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
