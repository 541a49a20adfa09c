// One run at a time, stopping, jitter, and what survives a restart. The test ends the runs by hand.
import assert from 'node:assert/strict';
import path from 'node:path';
import 'node-cron';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { StateFile } from '../../src/scheduler/run-schedules.js';
import { type ScheduledResult, Scheduler, type SchedulerOptions, type ScheduleState } from '../../src/scheduler/scheduler.js';
import { parseCron } from '../../src/timetable/cron-expression.js';
import { Zone } from '../../src/timetable/zone.js';
import { temporaryFolder } from '../temporary-folder.js';
import { FakeClock } from './fake-clock.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const COMPLETED: ScheduledResult = { status: 'completed', detail: 'in 1 ms' };

/** A state file that reports whether it is being written. */
class Written extends StateFile {
  static #writes = 0;

  static get isBusy(): boolean {
    return Written.#writes > 0;
  }

  override async write(state: ScheduleState): Promise<void> {
    Written.#writes++;
    try {
      await super.write(state);
    } finally {
      Written.#writes--;
    }
  }
}

interface Rig {
  readonly clock: FakeClock;
  readonly scheduler: Scheduler;
  readonly lines: string[];
  readonly runs: { readonly at: string; readonly signal: AbortSignal; readonly end: (result: ScheduledResult) => void }[];
  /** Starts without waiting for the end. */
  readonly start: () => Promise<void>;
}

/** Runs end immediately if `results` has a result for them, otherwise by hand. */
async function rig(
  cron: string,
  start: string,
  options: Partial<SchedulerOptions>,
  during: (rig: Rig) => Promise<void>,
  results: readonly (ScheduledResult | Error)[] = [],
): Promise<void> {
  const clock = new FakeClock(start, () => Written.isBusy);
  await clock.use(async () => {
    const lines: string[] = [];
    const runs: Rig['runs'] = [];
    const scheduler = new Scheduler({
      cron: parseCron(cron),
      zone: new Zone('UTC'),
      graceMs: 30_000,
      say: (line) => lines.push(line),
      run: (number, signal) =>
        new Promise((resolve, reject) => {
          runs.push({ at: new Date().toISOString().slice(11, 19), signal, end: resolve });
          const result = results[number - 1];
          if (result instanceof Error) reject(result);
          else if (result) resolve(result);
        }),
      ...options,
    });
    await during({
      clock,
      scheduler,
      lines,
      runs,
      start: async () => {
        await scheduler.open();
        void scheduler.start();
        await clock.pass(0);
      },
    });
    await scheduler.stop();
    assert.equal(clock.pending, 0, 'a timer was left');
  });
}

test('each due time has its run, numbered, with its outcome, and continues after failures', async () => {
  const results: (ScheduledResult | Error)[] = [
    COMPLETED,
    { status: 'rejected', detail: 'in 2 ms: too late' },
    { status: 'error', detail: 'in 3 ms: no' },
    new Error('a bug'),
    COMPLETED,
  ];
  await rig(
    '*/10 * * * *',
    '2026-03-02T08:59:50Z',
    {},
    async ({ clock, start, lines, scheduler }) => {
      await start();
      await clock.pass(45 * MINUTE);
      const tally = await scheduler.stop();
      assert.deepEqual(lines, [
        '2026-03-02 09:00:00  run 1  completed in 1 ms',
        '2026-03-02 09:10:00  run 2  rejected in 2 ms: too late',
        '2026-03-02 09:20:00  run 3  error in 3 ms: no',
        '2026-03-02 09:30:00  run 4  error (internal error): a bug',
        '2026-03-02 09:40:00  run 5  completed in 1 ms',
      ]);
      assert.deepEqual(tally, { completed: 2, rejected: 1, error: 2, skipped: 0 });
      await clock.pass(HOUR);
      assert.equal(lines.length, 5, 'nothing runs after the stop');
    },
    results,
  );
});

test('a run longer than the interval skips and reports what is due meanwhile', async () => {
  await rig('* * * * *', '2026-03-02T08:59:30Z', {}, async ({ clock, start, lines, runs, scheduler }) => {
    await start();
    await clock.pass(2 * MINUTE + 40_000);
    assert.equal(runs.length, 1);
    assert.deepEqual(lines, [
      '2026-03-02 09:01:00  skipped the run due at 2026-03-02 09:01: the one due at 2026-03-02 09:00 is still running',
      '2026-03-02 09:02:00  skipped the run due at 2026-03-02 09:02: the one due at 2026-03-02 09:00 is still running',
    ]);
    runs[0]?.end(COMPLETED);
    await clock.pass(MINUTE);
    assert.deepEqual(
      runs.map(({ at }) => at),
      ['09:00:00', '09:03:00'],
    );
    runs[1]?.end(COMPLETED);
    await clock.pass(1);
    assert.deepEqual(await scheduler.stop(), { completed: 2, rejected: 0, error: 0, skipped: 2 });
  });
});

test('once: the next due time and no other', async () => {
  await rig(
    '0 * * * *',
    '2026-03-02T08:59:30Z',
    { once: true },
    async ({ clock, start, runs, scheduler }) => {
      await start();
      await clock.pass(3 * HOUR);
      assert.equal(runs.length, 1);
      assert.equal(clock.pending, 0, 'it has stopped on its own');
      assert.equal((await scheduler.stop()).completed, 1);
    },
    [COMPLETED],
  );
});

test('stopping lets a run end within the grace time', async () => {
  await rig('0 * * * *', '2026-03-02T08:59:30Z', {}, async ({ clock, start, runs, scheduler, lines }) => {
    await start();
    await clock.pass(MINUTE);
    const stopped = scheduler.stop();
    assert.equal(scheduler.stop() instanceof Promise, true);
    await clock.pass(29_000);
    assert.equal(runs[0]?.signal.aborted, false);
    assert.match(lines.join('\n'), /Stopping\. Run 1 has up to 30 seconds to finish\./);
    runs[0]?.end(COMPLETED);
    await clock.pass(1);
    assert.equal((await stopped).completed, 1);
    assert.equal(clock.pending, 0);
  });
});

test('stopping aborts a run after the grace time, which counts as error', async () => {
  await rig('0 * * * *', '2026-03-02T08:59:30Z', { graceMs: 7000 }, async ({ clock, start, runs, scheduler, lines }) => {
    await start();
    await clock.pass(MINUTE);
    runs[0]?.signal.addEventListener('abort', () => runs[0]?.end({ status: 'error', detail: 'in 7000 ms: interrupted' }));
    const stopped = scheduler.stop();
    await clock.pass(6999);
    assert.equal(runs[0]?.signal.aborted, false);
    await clock.pass(1);
    assert.equal(String(runs[0]?.signal.reason), 'Error: interrupted');
    await clock.pass(1);
    assert.deepEqual(await stopped, { completed: 0, rejected: 0, error: 1, skipped: 0 });
    assert.match(lines.join('\n'), /run 1 {2}error in 7000 ms: interrupted/);
  });
});

test('stopping with an unresponsive run does not take forever', async () => {
  await rig('0 * * * *', '2026-03-02T08:59:30Z', {}, async ({ clock, start, scheduler, lines }) => {
    await start();
    await clock.pass(MINUTE);
    const stopped = scheduler.stop();
    await clock.pass(35_000);
    assert.equal((await stopped).error, 1);
    assert.match(lines.join('\n'), /Run 1 did not end when it was aborted; it counts as an error\./);
  });
});

test('stopping before anything was due', async () => {
  await rig('0 0 1 1 *', '2026-03-02T08:59:30Z', {}, async ({ clock, start, scheduler }) => {
    await start();
    assert.deepEqual(await scheduler.stop(), { completed: 0, rejected: 0, error: 0, skipped: 0 });
    assert.equal(clock.pending, 0);
  });
});

test('jitter: each run starts at random within it, and a stop meanwhile starts none', async () => {
  const random = [0, 0.5, 0.999, 0.5].values();
  await rig(
    '*/10 * * * *',
    '2026-03-02T08:59:30Z',
    { jitterMs: 60_000, random: () => random.next().value ?? 0 },
    async ({ clock, start, runs, lines, scheduler }) => {
      await start();
      await clock.pass(25 * MINUTE);
      assert.deepEqual(
        runs.map(({ at }) => at),
        ['09:00:00', '09:10:30', '09:20:59'],
      );
      await clock.pass(5 * MINUTE + 40_000);
      assert.equal((await scheduler.stop()).completed, 3);
      assert.equal(runs.length, 3);
      assert.match(lines.at(-1) ?? '', /the run due at 2026-03-02 09:30 was not started/);
    },
    [COMPLETED, COMPLETED, COMPLETED],
  );
});

test('sleeping through three due times is reported, and causes one run', async () => {
  await rig(
    '0 * * * *',
    '2026-03-02T08:30Z',
    {},
    async ({ clock, start, runs, lines }) => {
      await start();
      clock.jump(3 * HOUR);
      await clock.pass(2000);
      assert.equal(runs.length, 1);
      assert.match(lines[0] ?? '', /^2026-03-02 11:30:01 {2}3 due times since 2026-03-02 09:00 passed unnoticed/);
      clock.jump(-2 * HOUR);
      await clock.pass(2000);
      assert.match(
        lines[2] ?? lines[1] ?? '',
        /the clock was set back by 2 hours; no run is repeated, and the next run is due at 2026-03-02 10:00/,
      );
    },
    [COMPLETED],
  );
});

const PLAN = { file: 'r.wf', cron: '0 * * * *', timezone: 'UTC' };

test('catch-up: one run at the start for all that passed while the scheduler was down', async (context) => {
  const dir = temporaryFolder(context);
  const open = (): { state: StateFile; catchUp: boolean } => ({
    state: new Written('deep/state.json', dir, PLAN),
    catchUp: true,
  });
  const stored = (): Record<string, unknown> => JSON.parse(readFileSync(path.join(dir, 'deep/state.json'), 'utf8'));

  await rig(
    PLAN.cron,
    '2026-03-02T08:30Z',
    open(),
    async ({ clock, start, runs }) => {
      await start();
      assert.equal(runs.length, 0, 'a first start has nothing to catch up on');
      await clock.pass(31 * MINUTE);
      assert.deepEqual([stored().running, stored().seen], [undefined, '2026-03-02T09:00:00.000Z']);
    },
    [COMPLETED],
  );
  await rig(PLAN.cron, '2026-03-02T09:59Z', open(), async ({ start, lines }) => {
    await start();
    assert.deepEqual(lines, []);
  });
  await rig(PLAN.cron, '2026-03-02T13:20Z', open(), async ({ clock, start, runs, lines }) => {
    await start();
    assert.equal(runs.length, 1);
    assert.match(
      lines[0] ?? '',
      /^4 due times passed while the scheduler was down, the first at 2026-03-02 10:00\. Running once now\./,
    );
    assert.equal(stored().running, '2026-03-02T13:00:00.000Z');
    // Power fails here: no end is written.
    writeFileSync(path.join(dir, 'copy'), readFileSync(path.join(dir, 'deep/state.json')));
    runs[0]?.end(COMPLETED);
    await clock.pass(0);
    assert.equal(stored().running, undefined);
    writeFileSync(path.join(dir, 'deep/state.json'), readFileSync(path.join(dir, 'copy')));
  });
  await rig(PLAN.cron, '2026-03-02T13:40Z', open(), async ({ start, runs, lines }) => {
    await start();
    assert.match(
      lines.join('\n'),
      /^The run due at 2026-03-02 13:00 was cut off when the scheduler ended\. It is not repeated\.$/,
    );
    assert.equal(runs.length, 0);
  });
  assert.deepEqual(readdirSync(path.join(dir, 'deep')), ['state.json'], 'no draft is left');
});

test('state without catch-up reports what passed; ignores the state of another plan', async (context) => {
  const dir = temporaryFolder(context);
  const before = { seen: Date.parse('2026-03-02T08:30Z') };
  await new StateFile('s', dir, PLAN).write(before);
  await rig(PLAN.cron, '2026-03-02T09:20Z', { state: new StateFile('s', dir, PLAN) }, async ({ start, runs, lines }) => {
    await start();
    assert.match(
      lines.join(),
      /^1 due time passed while the scheduler was down, the first at 2026-03-02 09:00\. To catch up with one run, use --catch-up\.$/,
    );
    assert.equal(runs.length, 0);
  });
  await new StateFile('s', dir, { ...PLAN, timezone: 'Africa/Lagos' }).write(before);
  await rig(
    PLAN.cron,
    '2026-03-02T09:20Z',
    { state: new StateFile('s', dir, PLAN), catchUp: true },
    async ({ start, runs, lines }) => {
      await start();
      assert.match(lines.join(), /a different workflow or schedule/);
      assert.equal(runs.length, 0);
    },
  );
});

test('refuses a state file that is invalid, or cannot be read or written, at the start', async (context) => {
  const dir = temporaryFolder(context);
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"schema":"wf-log/1"}',
    '{"schema":"wf-schedule-state/1","seen":"yesterday"}',
  ]) {
    writeFileSync(path.join(dir, 's'), text);
    await assert.rejects(new StateFile('s', dir, PLAN).read(), {
      name: 'UsageError',
      message: /s is not a state file of wf schedule/,
    });
  }
  await assert.rejects(new StateFile('/dev/null', dir, PLAN).read(), {
    message: /\/dev\/null is not a state file of wf schedule/,
  });
  await assert.rejects(new StateFile('.', dir, PLAN).read(), { message: /The state file \. can't be read: it is a folder\./ });
  await assert.rejects(new StateFile('s/t', dir, PLAN).write({ seen: 0 }), { message: /The state can't be written to s\/t: / });
});

test('reports a state that can no longer be written, and continues the runs', async (context) => {
  const dir = temporaryFolder(context);
  await rig(
    '* * * * *',
    '2026-03-02T08:59:30Z',
    { state: new Written('d/s', dir, PLAN) },
    async ({ clock, start, runs, lines }) => {
      await start();
      rmSync(path.join(dir, 'd'), { recursive: true });
      writeFileSync(path.join(dir, 'd'), '');
      await clock.pass(MINUTE);
      assert.equal(runs.length, 1);
      assert.match(lines[0] ?? '', /The state can't be written to d\/s: /);
    },
    [COMPLETED],
  );
});

test('tells what happened to due times: runs, those that were skipped, and those that nobody noticed', async (context) => {
  const told: string[] = [];
  const news = {
    fired: () => void told.push('fired'),
    skipped: () => void told.push('skipped'),
    late: ({ count, first }: { count: number; first: number }) =>
      void told.push(`late ${count} ${new Date(first).toISOString().slice(11, 16)}`),
  };
  await rig('*/10 * * * *', '2026-03-02T08:59:50Z', { news }, async ({ clock, start, runs }) => {
    await start();
    await clock.pass(11 * MINUTE);
    runs[0]?.end(COMPLETED);
    await clock.pass(10 * MINUTE);
    assert.deepEqual(told.splice(0), ['fired', 'skipped', 'fired']);
    runs[1]?.end(COMPLETED);
    await clock.pass(0);
    clock.jump(25 * MINUTE);
    await clock.pass(10_000);
    assert.deepEqual(told.splice(0), ['fired', 'late 2 09:30']);
    runs[2]?.end(COMPLETED);
  });
  await rig(
    '*/10 * * * *',
    '2026-03-02T08:59:50Z',
    { news, run: async () => ({ status: 'elsewhere' }) },
    async ({ clock, start }) => {
      await start();
      clock.jump(25 * MINUTE);
      await clock.pass(10_000);
      assert.deepEqual(told, [], 'another process has handled them');
    },
  );
  const folder = temporaryFolder(context, {});
  const plan = { file: 'r.wf', cron: '*/10 * * * *', timezone: 'UTC' };
  const state = new Written('state.json', folder, plan);
  await state.write({ seen: Date.UTC(2026, 2, 2, 8, 5) });
  await rig('*/10 * * * *', '2026-03-02T08:59:50Z', { news, state }, async ({ start }) => {
    await start();
    assert.deepEqual(told, ['late 5 08:10']);
  });
});
