// Offsets of zones and the way back from the clock to the instant, held against Temporal, on and around changes of the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { zoneNamed } from '../../../runtime/dates/time-zone.js';
import { instantIn, zoneName } from './arbitrary-dates.js';

const zoneAndInstant = zoneName.chain((zone) => fc.tuple(fc.constant(zone), instantIn(zone)));

test('the offset of an instant is that of Temporal', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, instant]) => {
      const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
      assert.equal(zoneNamed(zone).offsetAt(instant), Math.round(there.offsetNanoseconds / 1_000_000));
    }),
    { numRuns: 1_000 },
  );
});

test('a time of the clock is the instant that Temporal takes it for, also where it shows it twice or never', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, wall]) => {
      const local = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime();
      assert.equal(zoneNamed(zone).instantOf(wall), local.toZonedDateTime(zone).epochMilliseconds);
    }),
    { numRuns: 1_000 },
  );
});

test('a name that is no zone', () => {
  assert.throws(() => zoneNamed('Berlin'), RangeError);
});
