// Look-ups in decision tables: the index finds the same row as a search from the top, and fails on the same values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Calendar } from '../../runtime/dates/calendar.js';
import { cellFits } from '../../runtime/tables/cell-fits.js';
import { lookUp } from '../../runtime/tables/look-up.js';
import type { CellTest, Condition, HeadingTest, TableData } from '../../runtime/tables/table-types.js';
import type { Value } from '../../runtime/types.js';
import { WfError } from '../../runtime/values/errors.js';
import { runs, seed } from '../root.js';

const calendar = new Calendar('UTC', []);

const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0.5, 2.5, 0.1 + 0.2, 0.3));
const text = fc.constantFrom('a', 'b', 'ab', 'abc', '', '5', 'true');
const day = fc.integer({ min: 1, max: 9 }).map((one) => `2026-03-0${one}`);
const scalar = fc.oneof(number, text, fc.boolean());
const ordered = fc.tuple(fc.constantFrom('above', 'below', 'at least', 'at most'), number);

/** The cells that the check lets pass under each heading. */
const cells: Readonly<Record<HeadingTest, fc.Arbitrary<CellTest>>> = {
  is: fc.oneof(
    scalar,
    fc.constant(['empty'] as const),
    fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values): CellTest => ['one of', ...values]),
    ordered.map(([word, limit]) => [word, limit] as CellTest), // a pair of these two
    fc.tuple(number, number).map(([low, high]): CellTest => ['between', low, high]),
    fc.integer({ min: 0, max: 9 }).map((value): CellTest => ['same', value, String(value)]),
  ),
  'is not': scalar,
  'is above': number,
  'is below': number,
  'is at least': number,
  'is at most': number,
  'is between': fc.tuple(number, number).map(([low, high]): CellTest => ['between', low, high]),
  'starts with': text,
  contains: scalar,
  'is before': day,
  'is after': day,
};

const value: fc.Arbitrary<Value> = fc.oneof(
  { arbitrary: number, weight: 4 },
  { arbitrary: text, weight: 3 },
  { arbitrary: day, weight: 2 },
  fc.boolean(),
  fc.constantFrom<Value>(null, undefined, [], ['a'], {}, '2026-03-05T09:30:00Z'),
);

const table: fc.Arbitrary<TableData> = fc
  .array(fc.constantFrom(...(Object.keys(cells) as HeadingTest[])), { minLength: 1, maxLength: 3 }) // just its keys
  .chain((tests) =>
    fc
      .array(fc.tuple(...tests.map((one) => fc.oneof(fc.constant<CellTest>(null), cells[one]))), { minLength: 1, maxLength: 70 })
      .map((rows) => ({
        name: 'T',
        conditions: tests.map((one, index): Condition => ({ name: `c${index}`, test: one })),
        rows,
        results: rows.map((_, index) => [index]),
      })),
  );

/** Row by row, cell by cell. */
function slowly({ conditions, rows }: TableData, values: readonly Value[]): number | 'error' {
  try {
    return rows.findIndex((row) =>
      conditions.every((condition, index) =>
        cellFits(condition.test, row[index] ?? null, values[index], { calendar, location: undefined }),
      ),
    );
  } catch (error) {
    if (error instanceof WfError) return 'error';
    throw error;
  }
}

function found(data: TableData, values: readonly Value[]): number | 'error' {
  try {
    return lookUp(data, values, calendar, values.map(String), true);
  } catch (error) {
    if (error instanceof WfError) return 'error';
    throw error;
  }
}

test('a look-up finds the row that a search from the top finds, and fails where that fails', () => {
  fc.assert(
    fc.property(table, fc.array(fc.tuple(value, value, value), { minLength: 5, maxLength: 5 }), (data, tries) => {
      for (const values of tries) assert.equal(found(data, values), slowly(data, values));
    }),
    { seed: seed(41), numRuns: runs(400) },
  );
});

test('the same in thousands of rows, whose values share buckets', () => {
  const rows = Array.from({ length: 5_000 }, (_, row): CellTest[] => [`k${row % 1_700}`, (row * 7) % 3_001]);
  const data: TableData = {
    name: 'T',
    conditions: [
      { name: 'key', test: 'is' },
      { name: 'weight', test: 'is at most' },
    ],
    rows,
    results: rows.map((_, row) => [row]),
  };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_800 }), fc.integer({ min: -5, max: 3_100 }), (key, weight) => {
      assert.equal(found(data, [`k${key}`, weight]), slowly(data, [`k${key}`, weight]));
    }),
    { seed: seed(42), numRuns: runs(200) },
  );
});
