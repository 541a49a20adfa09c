// Dates and times that examples are made of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates } from '../../src/analysis/candidates.js';
import { shifted, withPart } from '../../src/analysis/witness.js';
import { checkFile } from '../../src/compiler/compile.js';
import { exampleRecord } from '../../src/input/example-value.js';

test('a moved date or time keeps its form', () => {
  assert.equal(shifted('2026-01-31', 'months', 1, 0), '2026-02-28');
  assert.equal(shifted('2026-03-31T09:30:00Z', 'weeks', 1, -1), '2026-04-06T09:30:00Z');
  assert.equal(shifted('2026-03-31T22:30:00+02:00', 'hours', 2, 0), '2026-04-01T00:30:00+02:00');
});

test('finds the next date with a weekday, a day or a month, and the hour of the zone', () => {
  assert.equal(withPart('2026-03-31', 'weekday', 'Saturday'), '2026-04-04');
  assert.equal(withPart('2026-03-31', 'day', 31), '2026-03-31');
  assert.equal(withPart('2026-03-31', 'month', 2), '2027-02-01');
  assert.equal(withPart('2026-03-31T09:30:00Z', 'year', 2028), '2028-03-31T09:30:00Z');
  assert.equal(withPart('2026-03-31T09:30:00Z', 'hour', 22), '2026-03-31T22:30:00');
});

test('makes times for a way, where times are declared', () => {
  const text = `config:
    name: "Trip"
    version: 1

inputs:
    starts is a time

workflow:
    trigger: now

    if days from today to request.starts is below 21:
        reject with "too early"
    if weekday of request.starts is "Saturday":
        reject with "closed"
    if hours from now to request.starts is above 1000:
        reject with "too late"
    complete
`;
  const checked = checkFile(text, 'trip.wf');
  const made = candidates(checked, exampleRecord(checked.facts.inputs ?? [], 'typical'));
  const startsFor = (line: number): unknown =>
    made.find(({ end, tag }) => end.line === line && tag === undefined)?.request.starts;
  assert.equal(startsFor(12), '2026-03-03T09:30:00Z');
  assert.equal(startsFor(14), '2026-06-13T09:30:00Z');
  assert.match(String(startsFor(16)), /^2026-0[4-9]-\d\dT\d\d:\d\d:00Z$/);
});

test('makes two values equal where a way needs it', () => {
  const text = `config:
    name: "Swap"
    version: 1

workflow:
    trigger: now

    if request.from is request.to:
        reject with "the same"
    complete
`;
  const made = candidates(checkFile(text, 'swap.wf'), {});
  const [same] = made.filter(({ end }) => end.status === 'rejected');
  assert.ok(same !== undefined && same.request.from === same.request.to, JSON.stringify(same?.request));
});
