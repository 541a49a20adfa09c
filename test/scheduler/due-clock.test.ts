// Due times with node-cron itself, on a clock that the test moves: daylight saving, manual changes, sleep, month ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import 'node-cron';
import { DueClock, type Firing, type StartEngine } from '../../src/scheduler/scheduler.js';
import { parseCron } from '../../src/timetable/cron-expression.js';
import { Zone } from '../../src/timetable/zone.js';
import { FakeClock } from './fake-clock.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Watched {
  readonly clock: FakeClock;
  /** `local time`, or `local time +N` if more than one due time passed. */
  readonly fired: string[];
  readonly firings: Firing[];
  readonly putBack: string[];
  readonly late: () => number[];
}

async function watch(
  cron: string,
  zoneName: string,
  start: string,
  during: (watched: Watched) => Promise<void>,
  startEngine?: StartEngine,
): Promise<void> {
  const zone = new Zone(zoneName);
  const clock = new FakeClock(start);
  const firings: Firing[] = [];
  const fired: string[] = [];
  const putBack: string[] = [];
  const late: number[] = [];
  await clock.use(async () => {
    const dueClock = new DueClock({
      cron: parseCron(cron),
      zone,
      onDue: (firing) => {
        firings.push(firing);
        fired.push(`${zone.show(firing.due)}${firing.passed > 1 ? ` +${firing.passed - 1}` : ''}`);
        late.push(Date.now() - firing.due);
      },
      onPutBack: (by, next) => putBack.push(`${Math.round(by / MINUTE)} minutes, ${next === undefined ? '' : zone.show(next)}`),
      ...(startEngine ? { startEngine } : {}),
    });
    await dueClock.start();
    await during({ clock, fired, firings, putBack, late: () => late });
    dueClock.stop();
    assert.equal(clock.pending, 0, 'a timer was left');
  });
}

for (const { zone, spring, jump, autumn } of [
  { zone: 'Europe/Berlin', spring: '2026-03-28', jump: '2026-03-29 03:00', autumn: '2026-10-24' },
  { zone: 'America/New_York', spring: '2026-03-07', jump: '2026-03-08 03:00', autumn: '2026-10-31' },
]) {
  const [nextSpring, nextAutumn] = [spring, autumn].map((day) => new Date(Date.parse(day) + DAY).toISOString().slice(0, 10));

  test(`day at 2:30 in ${zone}: once a day over both changes of the clock`, async () => {
    await watch('30 2 * * *', zone, `${spring}T00:00Z`, async ({ clock, fired }) => {
      await clock.pass(34 * HOUR);
      assert.deepEqual(fired, [`${spring} 02:30`, jump]);
    });
    await watch('30 2 * * *', zone, `${autumn}T00:00Z`, async ({ clock, fired, late }) => {
      await clock.pass(34 * HOUR);
      assert.deepEqual(fired, [`${autumn} 02:30`, `${nextAutumn} 02:30`]);
      assert.ok(
        late().every((by) => by <= 2000),
        String(late()),
      );
    });
  });

  test(`every 30 minutes in ${zone}: no gap and no repetition over both changes of the clock`, async () => {
    for (const day of [nextSpring, nextAutumn]) {
      await watch(
        '*/30 * * * *',
        zone,
        `${day}T04:10Z`.replace('04', zone === 'Europe/Berlin' ? '00' : '04'),
        async ({ clock, firings, late }) => {
          await clock.pass(5 * HOUR);
          assert.equal(firings.length, 10);
          assert.ok(firings.every(({ due }, index) => index === 0 || due - (firings[index - 1]?.due ?? 0) === 30 * MINUTE));
          assert.ok(
            late().every((by) => by <= 2000),
            String(late()),
          );
        },
      );
    }
  });
}

test('month ends and leap days', async () => {
  await watch('0 12 29-31 * *', 'UTC', '2028-02-28T13:00Z', async ({ clock, fired }) => {
    await clock.pass(DAY);
    assert.deepEqual(fired, ['2028-02-29 12:00']);
  });
  await watch('59 23 31 12 *', 'UTC', '2026-12-31T23:50Z', async ({ clock, fired }) => {
    await clock.pass(HOUR);
    assert.deepEqual(fired, ['2026-12-31 23:59']);
  });
});

test('a date or a weekday: both wake the engine, and a day that is both is due once', async () => {
  for (const [start, due] of [
    ['2026-03-12T20:00Z', '2026-03-13 09:00'],
    ['2026-03-19T20:00Z', '2026-03-20 09:00'],
    ['2026-04-12T20:00Z', '2026-04-13 09:00'],
  ] as const) {
    await watch('0 9 13 * 5', 'UTC', start, async ({ clock, fired }) => {
      await clock.pass(14 * HOUR);
      assert.deepEqual(fired, [due]);
    });
  }
});

test('the clock is set back: nothing is due twice, and what was not due yet is due', async () => {
  await watch('*/10 * * * *', 'UTC', '2026-03-02T08:55Z', async ({ clock, fired, putBack }) => {
    await clock.pass(30 * MINUTE);
    assert.deepEqual(fired.splice(0), ['2026-03-02 09:00', '2026-03-02 09:10', '2026-03-02 09:20']);
    clock.jump(-20 * MINUTE); // 9:25 becomes 9:05
    await clock.pass(30 * MINUTE);
    assert.deepEqual(putBack, ['20 minutes, 2026-03-02 09:30']);
    assert.deepEqual(fired.splice(0), ['2026-03-02 09:30']);
    clock.jump(-30_000);
    await clock.pass(10 * MINUTE);
    assert.deepEqual(fired, ['2026-03-02 09:40']);
  });
});

test('the clock was a year ahead and is corrected: the schedule continues immediately', async () => {
  await watch('0 * * * *', 'UTC', '2027-03-02T08:50Z', async ({ clock, fired }) => {
    await clock.pass(20 * MINUTE);
    clock.jump(-365 * DAY);
    await clock.pass(60 * MINUTE);
    assert.deepEqual(fired, ['2027-03-02 09:00', '2026-03-02 10:00']);
  });
});

test('the clock is set forward, or the machine sleeps: one run for all that passed', async () => {
  await watch('0 * * * *', 'UTC', '2026-03-02T08:50Z', async ({ clock, fired, firings, late }) => {
    clock.jump(5 * HOUR);
    await clock.pass(MINUTE);
    assert.deepEqual(fired, ['2026-03-02 13:00 +4']);
    assert.equal(firings[0]?.late, true);
    assert.equal(late()[0], 50 * MINUTE + 1000);
    // Corrected again: a due time is not reported twice, and those it covered get their own turn.
    clock.jump(-5 * HOUR);
    await clock.pass(5 * HOUR + 15 * MINUTE);
    assert.deepEqual(fired.slice(1), [
      '2026-03-02 09:00',
      '2026-03-02 10:00',
      '2026-03-02 11:00',
      '2026-03-02 12:00',
      '2026-03-02 14:00',
    ]);
  });
});

test('a clock that starts in 1970 and is corrected delays nothing', async () => {
  await watch('* * * * *', 'UTC', '1970-01-01T00:00:10Z', async ({ clock, fired }) => {
    await clock.pass(60_000);
    clock.jump(Date.parse('2026-03-02T09:00:20Z') - clock.now());
    await clock.pass(90_000);
    assert.deepEqual(fired.slice(2), ['2026-03-02 09:01']);
    assert.match(fired[1] ?? '', / \+999$/);
  });
});

test('the engine wakes, not the watch', async () => {
  let wakeUp: (() => void) | undefined;
  await watch(
    '0 9 * * *',
    'UTC',
    '2026-03-02T08:59:30.200Z',
    async ({ clock, fired, late }) => {
      await clock.pass(30_700);
      assert.deepEqual(fired, []);
      wakeUp?.();
      assert.deepEqual([fired, late()], [['2026-03-02 09:00'], [900]]);
      await clock.pass(MINUTE);
      assert.equal(fired.length, 1);
    },
    async (_cron, _zone, wake) => {
      wakeUp = wake;
      return () => {};
    },
  );
});

test('an engine that never wakes us costs two seconds, not the run', async () => {
  await watch(
    '0 9 * * *',
    'UTC',
    '2026-03-02T08:59:30.500Z',
    async ({ clock, fired, late }) => {
      await clock.pass(MINUTE);
      assert.deepEqual(fired, ['2026-03-02 09:00']);
      assert.ok((late()[0] ?? Infinity) <= 2000);
    },
    async () => () => {},
  );
});

test('node-cron alone would miss the day without a 2:30', async () => {
  // Why the guard exists. Once this fails, docs/schedule.md and scheduler.ts can be simplified.
  const { default: engine } = await import('node-cron');
  const clock = new FakeClock('2026-03-28T12:00Z');
  let count = 0;
  await clock.use(async () => {
    const task = engine.schedule('30 2 * * *', () => count++, { timezone: 'Europe/Berlin' });
    await clock.pass(DAY);
    await task.destroy();
  });
  assert.equal(count, 0);
});
