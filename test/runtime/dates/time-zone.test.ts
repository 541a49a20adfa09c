// Offsets of zones, and the way back from the clock to the instant, compared with Temporal on and near clock changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { zoneNamed } from '../../../runtime/dates/time-zone.js';
import { runs } from '../../root.js';
import { instantIn, zoneName } from './arbitrary-dates.js';

const zoneAndInstant = zoneName.chain((zone) => fc.tuple(fc.constant(zone), instantIn(zone)));

test('the offset of an instant agrees with Temporal', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, instant]) => {
      const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
      assert.equal(zoneNamed(zone).offsetAt(instant), Math.round(there.offsetNanoseconds / 1_000_000));
    }),
    { numRuns: runs(1_000) },
  );
});

test('a clock time is the same instant as in Temporal, even if the clock shows it twice or never', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, wall]) => {
      const local = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime();
      assert.equal(zoneNamed(zone).instantOf(wall), local.toZonedDateTime(zone).epochMilliseconds);
    }),
    { numRuns: runs(1_000) },
  );
});

test('reports an unknown zone', () => {
  assert.throws(() => zoneNamed('Berlin'), RangeError);
});
