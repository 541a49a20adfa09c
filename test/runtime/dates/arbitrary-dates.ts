// Arbitrary dates: days of all centuries, times near clock changes, unusual zones.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';

/** Zones with changes in both hemispheres, by half an hour, at midnight, by a whole day, and with none. */
export const zoneName: fc.Arbitrary<string> = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Africa/Casablanca',
  'Pacific/Apia',
  'America/St_Johns',
  'Europe/Dublin',
  'Asia/Gaza',
);

/** `YYYY-MM-DD` of any year; often of this century, or the last day of a month. */
export const date: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: -719_528, max: 2_932_896 }),
    fc.integer({ min: 0, max: 40_000 }),
    fc
      .tuple(fc.integer({ min: 1_900, max: 2_100 }), fc.integer({ min: 1, max: 12 }))
      .map(([year, month]) => Math.floor(Date.UTC(year, month, 0) / 86_400_000)),
  )
  .map((days) => Temporal.PlainDate.from('1970-01-01').add({ days }).toString().replace(/^\+00/, ''));

/** Instants from 1920 to 2060, many of them within two hours of a clock change in the zone. */
export const instantIn = (zone: string): fc.Arbitrary<number> =>
  fc
    .tuple(
      fc.integer({ min: Date.UTC(1920), max: Date.UTC(2060) }),
      fc.boolean(),
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
    )
    .map(([instant, nearChange, gap]) => {
      if (!nearChange) return instant;
      const change = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).getTimeZoneTransition('next');
      return change === null ? instant : change.epochMilliseconds + gap;
    });

/** The instant in one of its notations: in UTC, with an offset, or in the local time of the zone. */
export const writtenIn = (zone: string): fc.Arbitrary<string> =>
  fc.tuple(instantIn(zone), fc.constantFrom('Z', '+02:00', '-05:30', '+0545', 'local')).map(([instant, form]) => {
    const at = Temporal.Instant.fromEpochMilliseconds(instant);
    if (form === 'Z') return at.toString({ fractionalSecondDigits: 3 });
    if (form === 'local') return at.toZonedDateTimeISO(zone).toPlainDateTime().toString({ fractionalSecondDigits: 3 });
    const colon = form.includes(':') ? form : `${form.slice(0, 3)}:${form.slice(3)}`;
    return at.toZonedDateTimeISO(colon).toPlainDateTime().toString({ fractionalSecondDigits: 3 }) + form;
  });

/** How Temporal reads a written moment: the same instant on the clock of the zone. */
export function zoned(written: string, zone: string): Temporal.ZonedDateTime {
  if (written.length === 10) return Temporal.PlainDate.from(written).toZonedDateTime(zone);
  if (/(Z|[+-]\d\d:?\d\d)$/.test(written)) return Temporal.Instant.from(written).toZonedDateTimeISO(zone);
  return Temporal.PlainDateTime.from(written).toZonedDateTime(zone);
}
