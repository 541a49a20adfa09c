// Three calculations of the same due times must agree: our own, node-cron's, and one too simple to be wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import cronEngine from 'node-cron';
import { parseCron } from '../../src/timetable/cron-expression.js';
import { nextDue } from '../../src/timetable/next-due.js';
import { wordsToCron } from '../../src/timetable/words-to-cron.js';
import { Zone } from '../../src/timetable/zone.js';
import { runs } from '../root.js';
import { FakeClock } from './fake-clock.js';

const MINUTE = 60_000;

/** The next firing, according to node-cron. */
async function engineNext(cron: string, timezone: string, after: number): Promise<number | undefined> {
  const task = cronEngine.createTask(cron, () => {}, { timezone });
  const [next] = await new FakeClock(after).use(() => task.getNextRuns(1));
  await task.destroy();
  return next?.getTime();
}

interface Words {
  readonly words: string;
  /** Whether the wall clock (minute, hour, weekday) shows a due time. */
  readonly matches: (minute: number, hour: number, weekday: number) => boolean;
}

const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const twelve = (hour: number, minute: number): string =>
  `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`}${hour < 12 ? 'am' : 'pm'}`;

const clockTime = fc.tuple(fc.nat(23), fc.nat(59), fc.constantFrom('H:MM', 'HH:MM', '12')).map(([hour, minute, form]) => ({
  hour,
  minute,
  text:
    form === '12'
      ? twelve(hour, minute)
      : `${form === 'HH:MM' ? String(hour).padStart(2, '0') : hour}:${String(minute).padStart(2, '0')}`,
}));
const dayName = fc.oneof(
  fc.constant({ text: 'day', has: (_day: number) => true }),
  fc.constant({ text: 'weekday', has: (day: number) => day >= 1 && day <= 5 }),
  fc.tuple(fc.nat(6), fc.boolean()).map(([number, short]) => ({
    text: (NAMES[number] ?? '').slice(0, short ? 3 : undefined),
    has: (day: number) => day === number,
  })),
);
const acceptedWords: fc.Arbitrary<Words> = fc
  .oneof(
    fc.constantFrom<Words>({ words: 'minute', matches: () => true }, { words: 'hour', matches: (minute) => minute === 0 }),
    fc
      .tuple(fc.integer({ min: 1, max: 59 }), fc.constantFrom('', 's'))
      .map(([n, s]): Words => ({ words: `${n} minute${s}`, matches: (minute) => minute % n === 0 })),
    fc
      .tuple(fc.integer({ min: 1, max: 23 }), fc.constantFrom('', 's'))
      .map(([n, s]): Words => ({ words: `${n} hour${s}`, matches: (minute, hour) => minute === 0 && hour % n === 0 })),
    dayName.map(
      ({ text, has }): Words => ({ words: text, matches: (minute, hour, day) => minute === 0 && hour === 0 && has(day) }),
    ),
    fc.tuple(dayName, clockTime).map(
      ([{ text, has }, time]): Words => ({
        words: `${text} at ${time.text}`,
        matches: (minute, hour, day) => minute === time.minute && hour === time.hour && has(day),
      }),
    ),
  )
  .chain((form) =>
    fc
      .constantFrom(form.words, form.words.toUpperCase(), ` ${form.words.replaceAll(' ', '  ')} `)
      .map((words) => ({ ...form, words })),
  );

/** Minute by minute on a clock without daylight saving, `offset` milliseconds ahead of UTC. */
function plainNext({ matches }: Words, after: number, offset: number): number {
  for (let time = (Math.floor(after / MINUTE) + 1) * MINUTE; ; time += MINUTE) {
    const wall = new Date(time + offset);
    if (matches(wall.getUTCMinutes(), wall.getUTCHours(), wall.getUTCDay())) return time;
  }
}

const instant = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2033, 0) });
const steadyZone = fc.constantFrom<readonly [zone: string, offset: number]>(
  ['UTC', 0],
  ['Africa/Lagos', 60],
  ['Asia/Kolkata', 330],
  ['America/Phoenix', -420],
);

test('every accepted form: node-cron accepts its cron, and both agree with a simple calculation of the words', async () => {
  await fc.assert(
    fc.asyncProperty(acceptedWords, instant, steadyZone, async (form, after, [zone, offset]) => {
      const cron = wordsToCron(form.words);
      assert.equal(cronEngine.validate(cron), true, cron);
      const expected = plainNext(form, after, offset * MINUTE);
      assert.equal(nextDue(parseCron(cron), new Zone(zone), after), expected);
      assert.equal(await engineNext(cron, zone, after), expected, `node-cron: ${cron}`);
    }),
    { numRuns: runs(300) },
  );
});

const field = (from: number, to: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    fc.integer({ min: 2, max: to - from }).map((step) => `*/${step}`),
    fc.uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: 3 }).map(String),
    fc
      .tuple(fc.integer({ min: from, max: to }), fc.integer({ min: from, max: to }), fc.constantFrom('', '/2'))
      .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}${step}`),
  );

test('every accepted cron expression: node-cron accepts it and agrees, where its rules are the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      field(0, 59),
      field(0, 23),
      field(1, 31),
      field(1, 12),
      field(0, 7),
      instant,
      steadyZone,
      async (minute, hour, day, month, weekday, after, [zone]) => {
        const cron = parseCron([minute, hour, day, month, weekday].join(' '));
        const mine = nextDue(cron, new Zone(zone), after);
        // It requires date and weekday both, and searches further ahead than a lifetime.
        fc.pre(!cron.eitherDay && mine !== undefined);
        assert.equal(await engineNext(cron.text, zone, after), mine, cron.text);
      },
    ),
    { numRuns: runs(200) },
  );
});
