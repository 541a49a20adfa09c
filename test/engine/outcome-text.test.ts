import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf, response, responseJson } from '../../runtime/run/to-outcome.js';
import type { Outcome } from '../../runtime/types.js';
import { outcomeText } from '../../src/engine/records/terminal-lines.js';
import { completedWith, fakeRecord } from './prepared.js';

const text = (outcome: Outcome, more: Parameters<typeof fakeRecord>[1] = {}, colour = false) =>
  outcomeText(fakeRecord(outcome, more), { colour });

test('completed: one key and value per line', () => {
  const outputs = {
    name: 'Ann',
    total: 0.30000000000000004,
    tiny: 1e-7,
    ok: true,
    none: null,
    nothing: '',
    list: ['a', 1],
    record: { a: { b: null } },
  };
  assert.equal(
    text(completedWith(outputs)),
    [
      'Workflow completed.',
      'name: Ann',
      'total: 0.3',
      'tiny: 0.0000001',
      'ok: true',
      'none: empty',
      'nothing: ',
      'list: ["a",1]',
      'record: {"a":{"b":null}}',
    ].join('\n'),
  );
  assert.equal(text(completedWith()), 'Workflow completed.');
});

test('does not cut long values, escapes control characters, redacts secrets', () => {
  const long = 'x'.repeat(5000);
  assert.equal(text(completedWith({ long })), `Workflow completed.\nlong: ${long}`);
  assert.equal(
    text(completedWith({ 'a\nb': 'one\nWorkflow rejected: \u001b[31mno' })),
    'Workflow completed.\na\\nb: one\\nWorkflow rejected: \\u001b[31mno',
  );
  assert.equal(
    text(completedWith({ key: 'is topsecret' }), { secrets: ['topsecret'] }),
    'Workflow completed.\nkey: is [redacted]',
  );
  assert.equal(
    text({ status: 'rejected', message: 'topsecret\n!', log: [] }, { secrets: ['topsecret'] }),
    'Workflow rejected: [redacted]\\n!',
  );
});

test('rejected', () => {
  assert.equal(text({ status: 'rejected', message: 'no stock', log: [] }), 'Workflow rejected: no stock');
});

test('an error looks like a diagnostic', () => {
  const source = 'workflow:\r\n    set x to 1\r\n    set y to x plus request.a\r\n';
  const error = { message: 'I can\'t add: "request.a" is empty.', line: 3, column: 14, length: 16, code: 'WF602' };
  const outcome: Outcome = { status: 'error', message: error.message, error, log: [] };
  assert.equal(
    text(outcome, { source }),
    `Error in flows/order.wf, line 3 (WF602):

    set y to x plus request.a
             ^^^^^^^^^^^^^^^^
    I can't add: "request.a" is empty.`,
  );
  assert.equal(text(outcome), 'Error in flows/order.wf, line 3 (WF602):\n\n    I can\'t add: "request.a" is empty.');
  assert.match(text(outcome, { source }, true), /^\u001b\[31mError/);
  assert.doesNotMatch(text(outcome, { source: 'one line' }), /\^/);
  const hidden = text(outcome, { source: source.replace('request.a', '"topsecret"'), secrets: ['topsecret'] });
  assert.equal(hidden, text(outcome));
});

test('handles an error without a place, and one with a value that contains line breaks', () => {
  const message = 'interrupted\n\nError in other.wf: topsecret';
  assert.equal(
    text({ status: 'error', message, error: { message, code: 'WF691' }, log: [] }, { secrets: ['topsecret'] }),
    'Error in flows/order.wf (WF691):\n\n    interrupted\\n\\nError in other.wf: [redacted]',
  );
});

test('uses colours only on request', () => {
  assert.equal(text(completedWith({ a: 1 }), {}, true), '\u001b[32mWorkflow completed.\u001b[39m\na: 1');
  assert.equal(text({ status: 'rejected', message: 'no', log: [] }, {}, true), '\u001b[33mWorkflow rejected:\u001b[39m no');
});

test('the execution response: unredacted outputs, and exactly these keys', () => {
  const log = [{ time: '', type: 'log' as const, message: 'x' }];
  assert.equal(responseJson(completedWith({ b: 1, a: 'line\n' }, log)), '{"status":"completed","outputs":{"b":1,"a":"line\\n"}}');
  assert.equal(responseJson({ status: 'completed', outputs: {}, log }), '{"status":"completed","outputs":{}}');
  assert.equal(responseJson({ status: 'rejected', message: 'no', log }), '{"status":"rejected","message":"no"}');
  assert.deepEqual(response({ status: 'error', message: 'm', error: { message: 'm', code: 'WF601', line: 1 }, log }), {
    status: 'error',
    message: 'm',
  });
});

test('exit codes', () => {
  assert.deepEqual(
    (['completed', 'error', 'rejected'] as const).map((status) => exitCodeOf({ status })),
    [0, 1, 3],
  );
});
