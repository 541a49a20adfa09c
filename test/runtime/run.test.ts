import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { completed, defineWorkflow, type Main, rejected } from '../../runtime/define.js';
import { realClock } from '../../runtime/run/clock.js';
import { waitCalendar, waitUntil } from '../../runtime/run/wait-until.js';
import { call } from '../../runtime/services/call.js';
import type { LogEntry, Redactor, RunOptions, Value } from '../../runtime/types.js';
import { plus } from '../../runtime/values/arithmetic.js';
import { sumOf } from '../../runtime/values/builtins.js';
import { WfError } from '../../runtime/values/errors.js';
import { field } from '../../runtime/values/fields.js';
import { info, runMain } from '../services/stub.js';
import { until } from '../until.js';
import { text, value } from './arbitraries.js';

const location = [7, 9, 4] as const;
// Node has had it since 17.3; its types lack it.
const { getActiveResourcesInfo } = process as unknown as { getActiveResourcesInfo(): string[] };
const timers = (): number => getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a run ends completed, rejected, or as an error of its own', async () => {
  assert.deepEqual(await runMain(async () => undefined), { status: 'completed', outputs: {}, log: [] });
  assert.deepEqual(
    await runMain(async () =>
      completed([
        ['sum', 0.1 + 0.2],
        ['none', undefined],
        ['__proto__', 1],
      ]),
    ),
    {
      status: 'completed',
      outputs: JSON.parse('{"sum":0.3,"none":null,"__proto__":1}'),
      log: [],
    },
  );
  assert.deepEqual(await runMain(async () => rejected(['no', 1])), { status: 'rejected', message: '["no",1]', log: [] });
  const { message = '', error } = await runMain(async () => completed([['x', plus(true, 1, [7, 9, 4, 'yes', '1'])]]));
  assert.ok(error !== undefined);
  const { publicMessage = '', ...rest } = error;
  assert.deepEqual(rest, { message, line: 7, column: 9, length: 4, code: 'WF602' });
  assert.match(message, /"yes" is a boolean \(true\)/);
  assert.equal(publicMessage, message.replace(' (true)', ''));
});

test('the public message of an error names types and no values', () => {
  const shown = (made: string): string => (made.length > 60 ? '' : made);
  fc.assert(
    fc.property(
      fc.oneof(
        value,
        text.map((given) => `\ufdd1${given}\ufdd0`),
      ),
      (given) => {
        try {
          sumOf(['q', given].slice(1), [1, 1, 1, 'list']);
        } catch (error) {
          assert.ok(error instanceof WfError);
          const { message, publicMessage } = error;
          assert.doesNotMatch(publicMessage, /\("|[\ufdd0\ufdd1]/);
          assert.match(
            publicMessage,
            /^I can't add up "list": item 0 is (text|a (record|boolean|list))( of \d+ (characters|items?))?, but /,
          );
          if (typeof given === 'string' && given.length < 50)
            assert.ok(message.includes(shown(JSON.stringify(given).replace(/[\ufdd0\ufdd1]/g, '\ufffd'))));
        }
      },
    ),
  );
});

test('reports unexpected errors in general words, and keeps them for debugging', async () => {
  const bug = new TypeError('undefined is not a function at /srv/secret/location.mjs');
  const causes: unknown[] = [];
  const outcome = await runMain(
    async () => {
      throw bug;
    },
    { onEnd: ({ cause }) => causes.push(cause) },
  );
  assert.equal(outcome.error?.code, 'WF699');
  assert.doesNotMatch(JSON.stringify(outcome), /srv|TypeError/);
  assert.deepEqual(causes, [bug]);
});

test('data that is too deep or too large ends the run, not the process', async () => {
  const forever = (depth: number): number => forever(depth + 1) + 1;
  assert.equal((await runMain(async () => completed([['x', forever(0)]]))).error?.code, 'WF692');
  assert.match((await runMain(async () => completed([['x', 'x'.repeat(2 ** 30)]]))).message ?? '', /too large/);
});

test('the request is a plain copy, and must be a record', async () => {
  const run = defineWorkflow(info, [], async (_run, request) =>
    completed([
      ['a', field(request, 'a')],
      ['c', field(request, 'constructor')],
    ]),
  );
  class Order {
    a = new Date(0);
  }
  assert.deepEqual((await run(new Order() as never, { env: {} })).outputs, { a: '1970-01-01T00:00:00.000Z', c: null });
  assert.deepEqual((await run(undefined as never, { env: {} })).outputs, { a: null, c: null });
  for (const wrong of [[1], 'x', 5]) {
    const outcome = await run(wrong as never, { env: {} });
    assert.equal(outcome.error?.code, 'WF693');
    assert.match(outcome.message ?? '', /must be a record/);
  }
});

test('a changed prototype prevents a run, by name', async () => {
  Object.defineProperty(Object.prototype, 'price', { value: 1, configurable: true });
  try {
    const outcome = await defineWorkflow(info, ['price'], async () => undefined)({}, { env: {} });
    assert.match(outcome.message ?? '', /"price"/);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'price');
  }
});

test('the log: lines, nested steps with their durations, the warning for a missing variable', async () => {
  const seen: LogEntry[] = [];
  const outcome = await runMain(
    async (run) => {
      const outer = run.enter('Outer', 1);
      run.log({ a: [1, null] }, 2);
      run.enter('Inner', 3);
      run.env('NOT_THERE');
      run.env('NOT_THERE');
      run.leave(outer);
      run.log('after', 4);
      run.enter('Last', 5);
      throw new Error('bug');
    },
    { onLog: (entry) => seen.push(entry) },
  );
  assert.deepEqual(
    outcome.log.map(({ time, durationMs, ...entry }) => {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      return durationMs === undefined ? entry : { ...entry, durationMs: typeof durationMs };
    }),
    [
      { type: 'step', step: 'Outer', line: 1, event: 'start' },
      { type: 'log', step: 'Outer', line: 2, message: '{"a":[1,null]}' },
      { type: 'step', step: 'Inner', line: 3, event: 'start' },
      { type: 'warning', step: 'Inner', message: 'The environment variable NOT_THERE is not set. It counts as empty.' },
      { type: 'step', step: 'Inner', line: 3, event: 'end', durationMs: 'number' },
      { type: 'step', step: 'Outer', line: 1, event: 'end', durationMs: 'number' },
      { type: 'log', line: 4, message: 'after' },
      { type: 'step', step: 'Last', line: 5, event: 'start' },
      { type: 'step', step: 'Last', line: 5, event: 'end', durationMs: 'number' },
    ],
  );
  assert.deepEqual(seen, outcome.log);
});

test('keeps 10,000 entries, and passes all to the host, even from a run that keeps none', async () => {
  const many: Main = async (run) => {
    for (let index = 0; index < 10_005; index++) run.log(index, 1);
    return undefined;
  };
  let told = 0;
  const onLog = (): void => {
    told++;
  };
  const outcome = await runMain(many, { onLog });
  assert.deepEqual([outcome.log.length, outcome.dropped, told], [10_000, 5, 10_005]);
  const bare = await runMain(many, { onLog, keepLog: false });
  assert.deepEqual([bare.log.length, bare.dropped, told], [0, undefined, 20_010]);
});

test('a listener of the log that fails ends the run as an error, also while steps are being closed', async () => {
  const onLog = ({ event }: LogEntry): void => {
    if (event === 'end') throw new Error('The disk is full.');
  };
  const inStep: Main = async (run) => {
    run.enter('Outer', 1);
    run.enter('Inner', 2);
    return completed([]);
  };
  const causes: unknown[] = [];
  const outcome = await runMain(inStep, { onLog, onEnd: ({ cause }) => causes.push(cause) });
  assert.deepEqual([outcome.status, outcome.error?.code, String(causes)], ['error', 'WF699', 'Error: The disk is full.']);
});

test('redacts secrets in log lines and errors, but not in outputs and messages of the author', async () => {
  const seen: LogEntry[] = [];
  const redactors: Redactor[] = [];
  const options: RunOptions = {
    env: { API_KEY: 'k-123456', STUB_URL: '' },
    secrets: ['server-token'],
    onLog: (entry) => seen.push(entry),
    onEnd: ({ redactor }) => redactors.push(redactor),
  };
  const secret: Value = { list: ['k-123456'], b64: Buffer.from('user:k-123456').toString('base64') };
  const outcome = await runMain(async (run) => {
    run.log(`key k-123456 and server-token`, 1);
    run.set('key', secret, 2);
    run.set('number', 123, 2);
    return completed([['key', run.env('API_KEY')]]);
  }, options);
  assert.doesNotMatch(JSON.stringify([outcome.log, seen]), /k-123456|server-token|1MjM0NTY/);
  assert.equal(outcome.log[0]?.message, 'key [redacted] and [redacted]');
  assert.deepEqual(outcome.outputs, { key: 'k-123456' });
  assert.deepEqual(redactors[0]?.value(secret), { list: ['[redacted]'], b64: 'dXNlcjp[redacted]' });
  const failed = await runMain(async () => completed([['x', plus(['k-123456'], 'k-123456', [1, 1, 1, 'a', 'b'])]]), options);
  assert.match(failed.message ?? '', /\[redacted\]/);
  assert.doesNotMatch(JSON.stringify(failed), /k-123456/);
});

test('now and today are the start of the run', async () => {
  const startedAt = new Date('2026-03-01T23:59:59.999Z');
  const outcome = await runMain(
    async (run) =>
      completed([
        ['now', run.now],
        ['today', run.today],
      ]),
    { startedAt },
  );
  assert.deepEqual(outcome.outputs, { now: '2026-03-01T23:59:59.999Z', today: '2026-03-01' });
});

test('wait pauses, and is logged; with mock services it does not pause', async () => {
  const main: Main = async (run) => {
    await run.wait(0.05, 'seconds', location, 0);
    return undefined;
  };
  const start = performance.now();
  const outcome = await runMain(main);
  assert.ok(performance.now() - start >= 49);
  assert.deepEqual(
    outcome.log.map(({ type, line, durationMs }) => ({ type, line, durationMs })),
    [{ type: 'wait', line: 7, durationMs: 50 }],
  );
  const mocked = await runMain(async (run) => void (await run.wait(100_000, 'hours', location, 0)), { mock: true });
  assert.equal(mocked.log[0]?.durationMs, 360_000_000_000);
});

test('wait counts months, years and working days in the calendar', async () => {
  const place = [7, 9, 4, 'n', 'n'] as const;
  const days = async (amount: Value, unit: Parameters<typeof waitCalendar>[2]) => {
    const startedAt = new Date('2026-01-30T15:00:00.000Z');
    const outcome = await runMain(async (run) => void (await waitCalendar(run, amount, unit, place, 0)), {
      mock: true,
      startedAt,
    });
    return outcome.error?.code ?? Number(outcome.log[0]?.durationMs) / 86_400_000;
  };
  assert.deepEqual(await Promise.all([days(1, 'months'), days(1, 'years'), days(0, 'months')]), [29, 365, 0]);
  assert.deepEqual(await Promise.all([days(1, 'working days'), days(5, 'working days')]), [3, 7]);
  assert.deepEqual(await Promise.all([days(-1, 'months'), days('2', 'months'), days(1.5, 'years')]), ['WF624', 'WF624', 'WF624']);
});

const limits: [string, RunOptions, number | undefined, RegExp][] = [
  ['of the host', { timeoutMs: 60 }, undefined, /limit of 0\.06 seconds/],
  ['of the file', { timeoutMs: 60_000 }, 60, /limit of 0\.06 seconds/],
  ['of neither, but cancelled', { timeoutMs: 0, signal: AbortSignal.timeout(60) }, undefined, /timeout/],
];
for (const [title, options, timeoutMs, pattern] of limits) {
  test(`the limit ${title} ends a wait, a call that hangs, and a loop`, async () => {
    const service = { name: 'L', kind: 'plugin', load: async () => ({ call: () => new Promise(() => undefined) }) } as const;
    const mains: Main[] = [
      async (run) => void (await run.wait(5, 'minutes', location, 0)),
      async (run) =>
        void (await call(run, {
          service,
          verb: 'get',
          description: '',
          parameters: [],
          retry: { times: 100, waitMs: 60_000 },
          handled: true,
          location,
          site: 0,
        })),
      async (run) => {
        for (let fuel = run.refuel(); ; fuel--) if (fuel <= 0) fuel = run.refuel() || (await run.yieldToEventLoop());
      },
    ];
    for (const main of mains) {
      const run = defineWorkflow({ ...info, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, [], main);
      const start = performance.now();
      const outcome = await run({}, { env: {}, ...options });
      assert.equal(outcome.status, 'error');
      assert.match(outcome.message ?? '', pattern);
      assert.ok(performance.now() - start < 20_000);
    }
  });
}

test('reports the limit in whole units if it has them', async () => {
  const outcome = await runMain(async (run) => void (await run.wait(5, 'seconds', location, 0)), { timeoutMs: 1_000 });
  assert.equal(outcome.message, 'The run exceeded its time limit of 1 second and was stopped.');
  assert.equal(outcome.error?.code, 'WF690');
});

test('runs nothing if the signal is already aborted', async () => {
  const outcome = await runMain(async () => assert.fail('it ran'), { signal: AbortSignal.abort() });
  assert.deepEqual([outcome.status, outcome.message], ['error', 'interrupted']);
});

test('uses one timer per waiting run and one listener for all runs of a signal, and leaves none', async () => {
  const before = timers();
  const stop = new AbortController();
  const waiting = Array.from({ length: 50 }, () =>
    runMain(
      async (run) => {
        await run.wait(0.001, 'seconds', location, 0);
        await run.wait(1, 'hours', location, 0);
        return undefined;
      },
      { signal: stop.signal, timeoutMs: 60_000 },
    ),
  );
  const short = runMain(async (run) => void (await run.wait(0.001, 'seconds', location, 0)), { signal: stop.signal });
  await short;
  await until(() => timers() - before === 50);
  assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
  stop.abort(new Error('interrupted'));
  const outcomes = await Promise.all(waiting);
  assert.ok(outcomes.every(({ message }) => message === 'interrupted'));
  assert.equal(timers(), before);
  assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
});

test('finished runs leave nothing on a signal that stays', async () => {
  const { signal } = new AbortController();
  for (let index = 0; index < 20; index++)
    await runMain(async (run) => void (await run.wait(0.001, 'seconds', location, 0)), { signal, timeoutMs: 10_000 });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a wait until a moment counts from the present, not from the last pause', async () => {
  let passed = 0;
  const clock = { ...realClock, now: () => Date.now() + passed };
  const { log } = await runMain(
    async (run) => {
      const at = new Date(clock.now() + 3_600_000).toISOString();
      // A call takes almost until then.
      passed = 3_599_950;
      await waitUntil(run, at, location, 0);
      return undefined;
    },
    { clock },
  );
  assert.equal(log[0]?.type, 'wait');
  assert.ok(Number(log[0]?.durationMs) <= 50, `${log[0]?.durationMs} ms`);
});

test('coverage receives each location', async () => {
  const reached: number[] = [];
  await runMain(
    async (run) => {
      run.reach(0);
      run.reach(2);
      return undefined;
    },
    { onReach: (index) => reached.push(index) },
  );
  assert.deepEqual(reached, [0, 2]);
});
