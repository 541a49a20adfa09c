// `GET /metrics`: runs, durations, calls and runs in flight, in the Prometheus text format.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../src/server/metrics.js';
import { completed, failed, fakeWorkflow, rejected, slow } from './fake-workflow.js';
import { post, send, startServer } from './test-server.js';

test('counts what has happened', async (t) => {
  const calling = fakeWorkflow('calling', async (request, options) => {
    for (const status of [200, 503, undefined]) {
      options?.onLog?.({ time: '', type: 'call', service: 'GitHub', ...(status === undefined ? {} : { status }) });
    }
    return request.bad === true ? failed('no') : request.no === true ? rejected('no') : completed({});
  });
  const { prepared, started, finish } = slow();
  const token = 'token-of-the-test';
  const { url } = await startServer(t, { workflows: [calling, prepared], metrics: await createMetrics(false), token });
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await send(`${url}/metrics`)).status, 401);
  for (const body of [{}, {}, { bad: true }, { no: true }]) await post(`${url}/calling`, body, headers);
  const running = post(`${url}/slow`, {}, headers);
  while (started() === 0) await new Promise(setImmediate);
  const response = await fetch(`${url}/metrics`, { headers: { ...headers, connection: 'close' } });
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  for (const line of [
    'wf_runs_total{workflow="calling",outcome="completed"} 2',
    'wf_runs_total{workflow="calling",outcome="error"} 1',
    'wf_runs_total{workflow="calling",outcome="rejected"} 1',
    'wf_run_duration_seconds_count{workflow="calling"} 4',
    'wf_calls_total{service="GitHub",status="200"} 4',
    'wf_calls_total{service="GitHub",status="503"} 4',
    'wf_calls_total{service="GitHub",status="0"} 4',
    'wf_runs_in_flight 1',
  ]) {
    assert.ok(text.includes(`\n${line}\n`), `${line} is not in\n${text}`);
  }
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
  finish();
  await running;
  const head = await fetch(`${url}/metrics`, { method: 'HEAD', headers: { ...headers, connection: 'close' } });
  assert.equal(head.status, 200);
});

test('without --metrics, the path does not exist', async (t) => {
  const { url } = await startServer(t, { workflows: [slow().prepared] });
  assert.equal((await send(`${url}/metrics`)).status, 404);
});
