// `wf schedule` after its file is compiled: output, the input of each run, log files, stopping, exit codes.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import 'node-cron';
import type { Outcome, RunFunction, WorkflowInfo } from '../../runtime/types.js';
import type { Io, StopSignal } from '../../src/engine/io.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { createRunReports } from '../../src/engine/records/run-reports.js';
import { type PlanOptions, readPlan } from '../../src/scheduler/read-plan.js';
import { type RunSchedulesOptions, runSchedules } from '../../src/scheduler/run-schedules.js';
import { temporaryFolder } from '../temporary-folder.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { FakeClock } from './fake-clock.js';
import { thrownUsageError } from './thrown-usage-error.js';

const MINUTE = 60_000;

const workflow: WorkflowInfo = {
  name: 'Report',
  version: 3,
  trigger: 't',
  file: 'r.wf',
  env: ['API_KEY'],
  services: [],
  requestFields: ['region'],
  outputKeys: ['region'],
  sites: [],
  compiler: 'test',
};

const echo: RunFunction = async (request, options = {}) => {
  const log: Outcome['log'] = [
    { time: new Date().toISOString(), type: 'log', line: 5, message: `region ${request.region}\nforged` },
  ];
  for (const entry of log) options.onLog?.(entry);
  if (request.region === 'moon') return { status: 'rejected', message: 'no moon', log };
  return { status: 'completed', outputs: { region: request.region }, log };
};

interface Session {
  readonly clock: FakeClock;
  readonly dir: string;
  readonly out: () => string;
  readonly err: () => string;
  readonly stop: (signal: StopSignal) => void;
  readonly code: Promise<number>;
}

async function session(
  context: TestContext,
  options: PlanOptions &
    RunSchedulesOptions & {
      readonly run?: RunFunction;
      readonly files?: Readonly<Record<string, string>>;
      readonly mock?: boolean;
      readonly outputLog?: string;
    },
  during: (session: Session) => Promise<void>,
): Promise<void> {
  const dir = temporaryFolder(context, options.files);
  const clock = new FakeClock('2026-03-02T08:59:30Z');
  let stop: Parameters<Io['onStop']>[0] = () => assert.fail('nobody listens for signals');
  const io = inMemoryIo(dir, { SECRET: 'x' }, (callback) => {
    stop = callback;
  });
  const prepared: Prepared = {
    file: 'flows/r.wf',
    basename: 'r',
    workflow,
    run: options.run ?? echo,
    loadPlugin: async () => ({}),
    warnings: [],
  };
  await clock.use(async () => {
    const plan = readPlan({ timezone: 'UTC', ...options }, Date.now());
    const onProblem = (sentence: string): void => void io.stderr.write(`${sentence}\n`);
    const { outputLog } = options;
    const reports = await createRunReports({
      outputLog,
      alert: undefined,
      env: {},
      cwd: dir,
      linkOf: () => undefined,
      onProblem,
    });
    const code = runSchedules([{ plan, prepared }], { ...options, reports }, io, () => options.mock === true);
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
    };
    code.then(end, end);
    await clock.until(() => hasEnded || clock.pending > 0);
    await during({ clock, dir, out: () => io.written.out, err: () => io.written.err, stop: (signal) => stop(signal, 1), code });
    assert.equal(clock.pending, 0, 'a timer was left');
  });
}

test('prints the workflow, the plan, the zone, the next due times and notes at the start', async (context) => {
  await session(
    context,
    { every: '7 minutes', timezone: 'Africa/Lagos', jitter: '20', mock: true },
    async ({ out, err, stop, code }) => {
      assert.equal(
        out(),
        `Report v3 (flows/r.wf)
  Schedule   every 7 minutes, Africa/Lagos
  Cron       */7 * * * *
  Time zone  Africa/Lagos
  Next       2026-03-02 10:00
             2026-03-02 10:07
             2026-03-02 10:14
  Note       7 minutes do not divide 60 evenly, so the gap at the hour is shorter: from minute 56 to minute 0 (4 minutes).
  Jitter     each run starts up to 20 seconds after it is due
  Mock       services are not called; answers are made up
Press Ctrl+C to stop.
`,
      );
      stop('SIGINT');
      assert.equal(await code, 0);
      assert.match(out(), /Stopped after 0 runs: 0 completed, 0 rejected, 0 error\.\n$/);
      assert.equal(err(), '');
    },
  );
});

test('a run prints its log lines and a line of its own; verbose shows the outcome, too, each on its own line', async (context) => {
  for (const verbose of [false, true]) {
    await session(context, { cron: '* * * * *', input: '{"region":"eu"}', verbose }, async ({ clock, out, stop, code }) => {
      await clock.pass(MINUTE);
      await clock.until(() => out().includes('run 1'));
      stop('SIGTERM');
      assert.equal(await code, 0);
      const lines = out().slice(out().indexOf('stops it.\n') + 10);
      assert.match(lines, /^2026-03-02 09:00:00 {2}run 1 {2}completed in \d+ ms$/m);
      assert.match(lines, /^Stopped after 1 run: 1 completed, 0 rejected, 0 error\.$/m);
      assert.ok(lines.includes('region eu\\nforged'));
      assert.equal(lines.includes('Workflow completed.\nregion: eu\n'), verbose);
    });
  }
});

test('reads the input file again for each run; a run that cannot is an error, and the schedule continues', async (context) => {
  const options = { cron: '* * * * *', inputFile: 'in.json', outputLog: 'logs/deep', files: { 'in.json': '{"region":"eu"}' } };
  await session(context, options, async ({ clock, dir, out, stop, code }) => {
    const logs = (): string[] => readdirSync(path.join(dir, 'logs/deep')).sort();
    const steps: readonly (() => void)[] = [
      () => {},
      () => writeFileSync(path.join(dir, 'in.json'), '{"region":"moon"}'),
      () => rmSync(path.join(dir, 'in.json')),
      () => writeFileSync(path.join(dir, 'in.json'), '{"region":'),
      () => writeFileSync(path.join(dir, 'in.json'), '{"region":"us"}'),
    ];
    for (const [index, step] of steps.entries()) {
      step();
      // To the moment of the firing and no further: reading and writing take real time.
      await clock.pass(index === 0 ? 30_000 : MINUTE);
      await clock.until(() => out().includes(`run ${index + 1} `));
    }
    stop('SIGTERM');
    assert.equal(await code, 0);
    assert.match(out(), /run 2 {2}rejected in \d+ ms: no moon\n/);
    assert.match(out(), /run 3 {2}error in 0 ms: .*in\.json.*\n/);
    assert.match(out(), /run 4 {2}error in 0 ms: .*in\.json.*\n/);
    assert.match(out(), /Stopped after 5 runs: 2 completed, 1 rejected, 2 error\.\n$/);
    assert.deepEqual(
      logs(),
      [0, 1, 2, 3, 4].map((minute) => `2026-03-02T09-0${minute}-00-000Z.json`),
    );
    const read = logs().map((name) => JSON.parse(readFileSync(path.join(dir, 'logs/deep', name), 'utf8')));
    assert.deepEqual(
      read.map(({ schema, status }) => `${schema} ${status}`),
      ['completed', 'rejected', 'error', 'error', 'completed'].map((status) => `wf-log/1 ${status}`),
    );
    assert.deepEqual(
      read.map(({ request }) => request.region),
      ['eu', 'moon', undefined, undefined, 'us'],
    );
  });
});

test('never overwrites an existing log file', async (context) => {
  const name = '2026-03-02T09-00-00-000Z';
  await session(
    context,
    { cron: '* * * * *', outputLog: '.', files: { [`${name}.json`]: 'mine' } },
    async ({ clock, dir, out, stop, code }) => {
      await clock.pass(MINUTE);
      await clock.until(() => out().includes('run 1'));
      stop('SIGINT');
      await code;
      assert.equal(readFileSync(path.join(dir, `${name}.json`), 'utf8'), 'mine');
      assert.equal(JSON.parse(readFileSync(path.join(dir, `${name}-2.json`), 'utf8')).status, 'completed');
      assert.deepEqual(readdirSync(dir).length, 2, 'no draft is left');
    },
  );
});

test('reports a log that can no longer be written, and counts the run as it ended', async (context) => {
  await session(context, { cron: '* * * * *', outputLog: 'logs' }, async ({ clock, dir, out, err, stop, code }) => {
    rmSync(path.join(dir, 'logs'), { recursive: true });
    await clock.pass(MINUTE);
    await clock.until(() => out().includes('run 1'));
    stop('SIGINT');
    await code;
    assert.match(err(), /The log could not be written/);
    assert.match(out(), /1 completed/);
  });
});

test('aborts a waiting run after the grace time, and logs it as error', async (context) => {
  const waiting: RunFunction = (_request, { signal } = {}) =>
    new Promise((resolve) => {
      assert.ok(signal instanceof AbortSignal);
      signal.addEventListener('abort', () => {
        const { message } = signal.reason instanceof Error ? signal.reason : new Error('no reason');
        resolve({ status: 'error', message, error: { message, code: 'WF600' }, log: [] });
      });
    });
  await session(
    context,
    { cron: '* * * * *', run: waiting, outputLog: 'logs', grace: '5' },
    async ({ clock, dir, out, stop, code }) => {
      await clock.pass(MINUTE);
      stop('SIGTERM');
      await clock.pass(4999);
      assert.deepEqual(readdirSync(path.join(dir, 'logs')), []);
      await clock.pass(1);
      await clock.until(() => out().includes('run 1 '));
      assert.equal(await code, 0);
      assert.match(
        out(),
        /Stopping\. Run 1 has up to 5 seconds to finish\. [^\n]*\n[^\n]*run 1 {2}error in \d+ ms: interrupted\n/,
      );
      const [log = ''] = readdirSync(path.join(dir, 'logs'));
      const { status, message } = JSON.parse(readFileSync(path.join(dir, 'logs', log), 'utf8'));
      assert.deepEqual([status, message], ['error', 'interrupted']);
    },
  );
});

test('once returns the exit code of its run, or 0 if stopped before', async (context) => {
  for (const [region, expected] of [
    ['eu', 0],
    ['moon', 3],
  ] as const) {
    await session(context, { cron: '* * * * *', once: true, input: `{"region":"${region}"}` }, async ({ clock, out, code }) => {
      assert.match(out(), /Next {7}2026-03-02 09:00, once\nPress Ctrl/);
      await clock.pass(MINUTE);
      assert.equal(await code, expected);
    });
  }
  await session(context, { cron: '* * * * *', once: true }, async ({ stop, code }) => {
    stop('SIGINT');
    assert.equal(await code, 0);
  });
});

test('refuses what cannot work at the start, before anything is due', async (context) => {
  const refusals: readonly (readonly [Parameters<typeof session>[1], RegExp])[] = [
    [{ every: 'hour', input: '[1]' }, /object/],
    [{ every: 'hour', input: '{' }, /input/],
    [{ every: 'hour', inputFile: 'none.json' }, /none\.json/],
    [{ every: 'hour', input: '{}', inputFile: 'none.json' }, /--input or --input-file/],
    [{ every: 'hour', state: 'file', files: { file: 'x' } }, /not a state file/],
    [{ every: 'hour', catchUp: true }, /--catch-up needs --store or --state/],
    [{ every: 'hour', state: '' }, /--state/],
  ];
  for (const [options, message] of refusals) {
    await session(context, options, async ({ code, out }) => {
      await assert.rejects(code, { name: 'UsageError', message });
      assert.equal(out(), '');
    });
  }
  await session(context, { every: 'hour', strictEnv: true }, async ({ code, err, out }) => {
    assert.equal(await code, 1);
    assert.match(err(), /API_KEY/);
    assert.equal(out(), '');
  });
});

test('refuses options that make no sense', () => {
  const refusals: readonly (readonly [PlanOptions, RegExp])[] = [
    [{}, /--every or --cron/],
    [{ every: 'hour', cron: '0 * * * *' }, /--every or --cron, not both/],
    [{ cron: '0 0 30 2 *' }, /"0 0 30 2 \*" is never due/],
    [{ cron: '0 0 31 4,6,9,11 *' }, /never due/],
    [{ every: 'hour', timezone: 'Mars/Base' }, /Mars\/Base/],
    [{ every: 'hour', jitter: '-1' }, /--jitter/],
    [{ every: 'hour', jitter: '1.5' }, /--jitter/],
    [{ every: '5 minutes', jitter: '300' }, /--jitter 300 is too long: this schedule has due times only 300 seconds apart/],
    [{ every: '7 minutes', jitter: '300' }, /only 240 seconds apart/],
    [{ every: 'hour', grace: 'x' }, /--grace/],
    [{ every: 'hour', timeout: '' }, /--timeout/],
  ];
  for (const [options, message] of refusals) assert.match(thrownUsageError(() => readPlan(options, 0)).message, message);
  const plan = readPlan({ cron: ' 0  0 29 2 * ', timezone: 'UTC', jitter: '299', grace: '0', timeout: '90' }, 0);
  assert.deepEqual([plan.cron.text, plan.jitterMs, plan.graceMs, plan.timeoutMs], ['0 0 29 2 *', 299_000, 0, 90_000]);
  assert.equal(readPlan({ every: 'hour' }, 0).graceMs, 30_000);
});
