// `--alert`: what the webhook gets, how often, and that nothing waits for it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { redactorFor } from '../../runtime/run/redaction.js';
import { toOutcome } from '../../runtime/run/to-outcome.js';
import { createAlerts } from '../../src/engine/records/alerts.js';
import type { ReportedRun } from '../../src/engine/records/run-record.js';
import { readAlert } from '../../src/engine/shared-options.js';
import { UsageError } from '../../src/engine/usage-error.js';

const failed = (name: string, more: Partial<ReportedRun> = {}): ReportedRun => ({
  runId: 'r-1',
  mock: false,
  request: {},
  durationMs: 1,
  startedAt: new Date(),
  finishedAt: new Date(),
  prepared: { workflow: { name, version: 1, trigger: '' }, file: `${name}.wf` },
  outcome: {
    status: 'error',
    message: 'I cannot subtract "Grace".',
    log: [],
    error: {
      message: 'I cannot subtract "Grace".',
      publicMessage: 'I cannot subtract a text, key s3cret.',
      line: 10,
      code: 'WF601',
    },
  },
  redactor: redactorFor(['s3cret']),
  ...more,
});

interface Webhook {
  readonly url: string;
  readonly got: Record<string, unknown>[];
  readonly next: () => Promise<unknown>;
}

async function webhook(t: TestContext, status = 200): Promise<Webhook> {
  const got: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part) => parts.push(part))
      .on('end', () => {
        got.push(JSON.parse(Buffer.concat(parts).toString()));
        response.writeHead(status).end();
        server.emit('got');
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/T123`, got, next: () => once(server, 'got') };
}

test('the first failure is sent at once, and what follows is counted', async (t) => {
  const { url, got, next } = await webhook(t);
  const problems: string[] = [];
  const linkOf = (run: string): string => `https://wf.example.com/runs/${run}`;
  const alerts = createAlerts({ url, env: {}, linkOf, onProblem: (sentence) => problems.push(sentence) });
  const first = next();
  alerts.ended(failed('Order'));
  await first;
  for (let count = 0; count < 3; count++) alerts.ended(failed('Order', { runId: `r-${count + 2}` }));
  const other = next();
  alerts.ended(failed('Refund'));
  await other;
  for (const status of ['completed', 'rejected'] as const) alerts.ended(failed('Bill', { outcome: toOutcome({ status }) }));
  alerts.ended(failed('Bill', { unfinished: 'waiting' }));
  await alerts.close();
  assert.deepEqual(
    got.map(({ workflow, count, run }) => [workflow, count, run]),
    [
      ['Order', 1, 'r-1'],
      ['Refund', 1, 'r-1'],
      ['Order', 3, 'r-4'],
    ],
  );
  assert.deepEqual(got[0], {
    text: 'A run of "Order" failed in Order.wf, line 10: I cannot subtract a text, key [redacted]. https://wf.example.com/runs/r-1',
    workflow: 'Order',
    file: 'Order.wf',
    status: 'error',
    message: 'I cannot subtract a text, key [redacted].',
    count: 1,
    line: 10,
    code: 'WF601',
    run: 'r-1',
    link: 'https://wf.example.com/runs/r-1',
  });
  assert.match(String(got[2]?.text), /^3 runs of "Order" failed, the last one in Order\.wf, line 10/);
  assert.deepEqual(problems, []);
});

test('held failures are sent when the interval is over, and a quiet workflow alerts at once again', async (t) => {
  const { url, got, next } = await webhook(t);
  const alerts = createAlerts({ url, env: {}, linkOf: () => undefined, onProblem: assert.fail, intervalMs: 5 });
  const first = next();
  alerts.ended(failed('Order'));
  alerts.ended(failed('Order', { unfinished: 'stuck' }));
  await first;
  while (got.length < 2) await next();
  assert.deepEqual([got[1]?.status, got[1]?.count, 'link' in (got[1] ?? {})], ['stuck', 1, false]);
  await alerts.close();
});

test('a webhook that refuses or is away costs a line that does not name it', async (t) => {
  const { url } = await webhook(t, 410);
  for (const address of [url, 'http://127.0.0.1:9/T123']) {
    const problems: string[] = [];
    const alerts = createAlerts({
      url: address,
      env: {},
      linkOf: () => undefined,
      onProblem: (sentence) => problems.push(sentence),
    });
    alerts.ended(failed('Order'));
    await alerts.close();
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^An alert (?:was not accepted: the webhook answered 410\.|could not be sent: )/);
    assert.doesNotMatch(problems[0] ?? '', /T123/);
  }
});

test('the address of the webhook is checked, and never shown', () => {
  assert.equal(readAlert(undefined, { WF_ALERT: 'https://hooks.example.com/T1' }), 'https://hooks.example.com/T1');
  assert.equal(readAlert(undefined, { WF_ALERT: '' }), undefined);
  for (const wrong of ['hooks.example.com/T1', 'ftp://example.com/T1', ''])
    assert.throws(
      () => readAlert(wrong, {}),
      (error) => error instanceof UsageError && !error.message.includes('T1'),
    );
});

test('a schedule that is late is told apart from failed runs, and its due times are added up', async (t) => {
  const { url, got, next } = await webhook(t);
  const alerts = createAlerts({
    url,
    env: {},
    linkOf: () => undefined,
    onProblem: assert.fail,
    linkOfWorkflow: (name) => `https://wf.example.com/console/workflows/${name}`,
  });
  const prepared = { ...failed('Report').prepared, basename: 'report' };
  const both = next().then(next);
  alerts.late({ prepared, count: 1, first: '2026-03-02 09:00' });
  alerts.ended(failed('Report'));
  await both;
  alerts.late({ prepared, count: 2, first: '2026-03-02 10:00' });
  alerts.late({ prepared, count: 3, first: '2026-03-02 12:00' });
  await alerts.close();
  assert.deepEqual(
    got.map(({ status, count }) => [status, count]),
    [
      ['late', 1],
      ['error', 1],
      ['late', 5],
    ],
  );
  assert.equal(
    got[0]?.text,
    'The schedule of "Report" (Report.wf) is late: the due time 2026-03-02 09:00 passed unnoticed. https://wf.example.com/console/workflows/report',
  );
});
