// Spans of runs, as an OpenTelemetry collector receives them, and what services get of the trace.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createEngine } from '../../src/engine/engine.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { startTracing, tracePlaceOf } from '../../src/engine/tracing.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { begun, testStore } from '../durable/test-store.js';
import { root } from '../root.js';

const env = { TOKEN: 'topsecret-987' };

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Traced {
  /** What the collector got, as text: names and attributes are readable in protobuf. */
  readonly sent: string;
  readonly calls: readonly IncomingMessage[];
  readonly status: string;
  /** Traces that entries and outcome belong to. */
  readonly traces: readonly (string | undefined)[];
}

/** Turns tracing on. The returned function turns it off, and gives what the collector got. */
async function collecting(t: TestContext, variables: Record<string, string> = {}): Promise<() => Promise<string>> {
  const bodies: Buffer[] = [];
  const collector = await listen(t, (request, response) => {
    request.on('data', (part) => bodies.push(part)).on('end', () => response.end());
    assert.deepEqual([request.url, request.headers['content-type']], ['/v1/traces', 'application/x-protobuf']);
  });
  const stop = await startTracing({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector}/`, ...variables },
    isAsked: false,
    onProblem: (sentence) => assert.fail(sentence),
  });
  return async () => {
    await stop();
    return Buffer.concat(bodies).toString('latin1');
  };
}

/** Runs the workflow while tracing is on. */
async function traced(t: TestContext, traceparent?: string, variables: Record<string, string> = {}): Promise<Traced> {
  const calls: IncomingMessage[] = [];
  const api = await listen(t, (request, response) => {
    calls.push(request);
    response.writeHead(calls.length === 1 ? 503 : 200, { 'content-type': 'application/json' }).end('{"n": 1}');
  });
  const collected = await collecting(t, variables);
  const known = { ...env, URL: api };
  const prepared = await prepare('test/engine/files/traced.wf', { cwd: root, env: known });
  assert.ok(prepared.ok);
  const engine = createEngine({ env: known });
  const told: object[] = [];
  const { outcome } = await engine.run(prepared.prepared, {}, { traceparent, onLog: (entry) => told.push(entry) });
  await engine.close();
  return {
    sent: await collected(),
    calls,
    status: outcome.status,
    traces: [...told, outcome].map((one) => tracePlaceOf(one)?.traceId),
  };
}

const PARENT = /^00-([\da-f]{32})-([\da-f]{16})-01$/;

test('sends a span for the run, each step and each attempt, without secrets', async (t) => {
  const { sent, calls, status } = await traced(t);
  assert.equal(status, 'completed');
  for (const name of ['Traced', 'Look it up', 'Finish', 'GET Api', 'http.response.status_code', 'wf.outcome', 'completed'])
    assert.ok(sent.includes(name), name);
  assert.equal(sent.split('http.request.resend_count').length - 1, 1);
  assert.ok(!sent.includes(env.TOKEN));
  const [first, second, declared] = calls.map(({ headers }) => PARENT.exec(String(headers.traceparent)));
  assert.equal(first?.[1], second?.[1]);
  assert.notEqual(first?.[2], second?.[2]);
  assert.equal(declared, null);
  assert.equal(calls[2]?.headers.traceparent, 'mine');
  const ids = [first?.[1], first?.[2], second?.[2]].map((id) => Buffer.from(id ?? '', 'hex').toString('latin1'));
  for (const id of ids) assert.ok(sent.includes(id));
});

test('the span of a run with a store has the id of the run', async (t) => {
  if (Number(process.versions.node.split('.')[0]) < 20) return t.skip('Stores need Node.js 20.');
  const collected = await collecting(t);
  const { open, file } = await testStore(t, 'folder');
  const { run, end } = await begun(await open(), await file('single/two-plain-calls.wf'));
  await end;
  const sent = await collected();
  assert.ok(sent.includes('wf.run') && sent.includes(run));
});

const count = (text: string, part: string): number => text.split(part).length - 1;

test('the spans of a called workflow name its file', async (t) => {
  const url = await listen(t, (_request, response) => response.end('{"n": 1}'));
  const collected = await collecting(t);
  const known = { ...env, URL: url };
  const prepared = await prepare('test/engine/files/traced-caller.wf', { cwd: root, env: known });
  assert.ok(prepared.ok);
  const engine = createEngine({ env: known });
  assert.equal((await engine.run(prepared.prepared, {})).outcome.status, 'completed');
  await engine.close();
  const sent = await collected();
  assert.deepEqual([count(sent, 'traced-caller.wf'), count(sent, 'traced.wf')], [1, 4], 'of two steps and two calls');
});

test('with a store, too, and the call of the workflow has a span', async (t) => {
  if (Number(process.versions.node.split('.')[0]) < 20) return t.skip('Stores need Node.js 20.');
  const collected = await collecting(t);
  const { open, file } = await testStore(t, 'folder');
  const { end } = await begun(await open(), await file('called/first-calls/main.wf'));
  await end;
  const sent = await collected();
  assert.deepEqual([count(sent, 'main.wf'), count(sent, 'part.wf'), count(sent, 'wf.service.kind')], [1, 1, 6]);
});

test('continues the trace of the caller', async (t) => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { sent, calls, traces } = await traced(t, `00-${trace}-00f067aa0ba902b7-01`);
  assert.ok(traces.length > 3 && traces.every((one) => one === trace), 'log lines find it, too');
  assert.equal(PARENT.exec(String(calls[0]?.headers.traceparent))?.[1], trace);
  assert.ok(sent.includes(Buffer.from('00f067aa0ba902b7', 'hex').toString('latin1')));
});

test('a caller that does not sample is not sampled', async (t) => {
  const { sent, calls } = await traced(t, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00');
  assert.equal(sent, '');
  assert.match(String(calls[0]?.headers.traceparent), /-00$/);
});

test('samples as the variables of OpenTelemetry say', async (t) => {
  const unsampled = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  for (const [variables, parent, isSent] of [
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, undefined, false],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, unsampled, true],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, undefined, false],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, unsampled.replace(/0$/, '1'), true],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, undefined, true],
  ] as const) {
    const { sent, calls } = await traced(t, parent, variables);
    const message = JSON.stringify([variables, parent]);
    assert.equal(sent !== '', isSent, message);
    assert.match(String(calls[0]?.headers.traceparent), isSent ? /-01$/ : /-00$/, message);
  }
});

test('without a collector, nothing is sent and calls carry no trace', async (t) => {
  const problems: string[] = [];
  const stop = await startTracing({ env: {}, isAsked: false, onProblem: (sentence) => problems.push(sentence) });
  const seen: unknown[] = [];
  const url = await listen(t, ({ headers }, response) => {
    seen.push(headers.traceparent);
    response.end('{"n": 1}');
  });
  const prepared = await prepare('test/engine/files/traced.wf', { cwd: root, env: { ...env, URL: url } });
  assert.ok(prepared.ok);
  const engine = createEngine({ env: { ...env, URL: url } });
  await engine.run(prepared.prepared, {}, { traceparent: '' });
  await engine.close();
  await stop();
  assert.deepEqual([seen, problems], [[undefined, 'mine'], []]);
});

test('says what is wrong with the variables', async () => {
  const start = (given: Record<string, string>) =>
    startTracing({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:1', ...given },
      isAsked: false,
      onProblem: () => undefined,
    });
  for (const wrong of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER: 'constructor' },
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
  ])
    await assert.rejects(() => start(wrong), UsageError);
  await (await start({ OTEL_SDK_DISABLED: 'true' }))();
});

test('a collector that is away changes no run, and is reported', async () => {
  const problems: string[] = [];
  const stop = await startTracing({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '100' },
    isAsked: false,
    onProblem: (sentence) => problems.push(sentence),
  });
  const prepared = await prepare('test/engine/files/traced.wf', { cwd: root, env: { ...env, URL: 'http://127.0.0.1:9' } });
  assert.ok(prepared.ok);
  const engine = createEngine({ env: { ...env, URL: 'http://127.0.0.1:9' } });
  assert.equal((await engine.run(prepared.prepared, {})).outcome.status, 'error');
  await engine.close();
  await stop();
  assert.deepEqual(
    problems.map((sentence) => /can't be sent to the collector/.test(sentence)),
    [true],
  );
});
