// One condition of a table, indexed: its values are sorted into buckets, and each bucket knows the rows that some value in it fits.
import { RowSet } from './row-set.js';

/** Memory grows with the number of buckets, and with ranges the time to fill them as well; fewer leave more rows to compare. */
const MOST_BUCKETS = 1024;
const MOST_WITH_RANGES = 128;

/** The values that fit a cell. */
export type Reach =
  | { readonly is: 'any' }
  /** Numbers from `low` to `high`, without these themselves where they are `open`. */
  | { readonly is: 'range'; readonly low: number; readonly high: number; readonly open: boolean }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  | { readonly is: 'empty' };

/** A value that a cell can be compared with by what it is alone. */
export type PlainValue = string | number | boolean | null;

export class BucketColumn {
  readonly #reaches: readonly Reach[];
  readonly #any: RowSet;
  /** Buckets of numbers. */
  readonly #most: number;
  readonly #empty: RowSet;
  /** The ends of all ranges and all numbers, in order: they cut the numbers into buckets. */
  readonly #limits: Float64Array;
  readonly #numbers: readonly RowSet[];
  /** The bucket of each text or boolean that a cell names. */
  readonly #places = new Map<string | boolean, number>();
  readonly #others: readonly RowSet[];
  /** Whether cells compare by order: anything but a number is an error then. */
  readonly hasRanges: boolean;
  readonly hasEmpty: boolean;

  constructor(reaches: readonly Reach[]) {
    this.#reaches = reaches;
    this.hasRanges = reaches.some(({ is }) => is === 'range');
    this.hasEmpty = reaches.some(({ is }) => is === 'empty');
    this.#most = this.hasRanges ? MOST_WITH_RANGES : MOST_BUCKETS;
    const limits = new Set<number>();
    for (const reach of reaches) {
      if (reach.is === 'range') for (const limit of [reach.low, reach.high]) limits.add(limit);
      if (reach.is !== 'values') continue;
      for (const value of reach.values) {
        if (typeof value === 'number') limits.add(value);
        else if (!this.#places.has(value)) this.#places.set(value, this.#places.size % MOST_BUCKETS);
      }
    }
    this.#limits = Float64Array.from(limits).sort();
    this.#any = new RowSet(reaches.length);
    this.#empty = new RowSet(reaches.length);
    for (const [row, { is }] of reaches.entries()) {
      if (is === 'any') this.#any.add(row);
      if (is === 'empty') this.#empty.add(row);
    }
    this.#empty.addAll(this.#any);
    const buckets = (count: number): RowSet[] =>
      Array.from({ length: count }, () => new RowSet(reaches.length).addAll(this.#any));
    this.#numbers = buckets(Math.min(this.#most, 2 * this.#limits.length + 1));
    this.#others = buckets(Math.min(MOST_BUCKETS, this.#places.size));
    for (const [row, reach] of reaches.entries()) this.#enter(row, reach);
  }

  #enter(row: number, reach: Reach): void {
    if (reach.is === 'range') {
      const last = this.#bucketOf(reach.high);
      for (let bucket = this.#bucketOf(reach.low); bucket <= last; bucket++) this.#numbers[bucket]?.add(row);
    } else if (reach.is === 'values') {
      for (const value of reach.values)
        (typeof value === 'number' ? this.#numbers[this.#bucketOf(value)] : this.#others[this.#places.get(value) ?? 0])?.add(row);
    }
  }

  /** A bucket holds a limit, the numbers between two limits, or several of these next to each other. */
  #bucketOf(value: number): number {
    const limits = this.#limits;
    let low = 0;
    let high = limits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((limits[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    const place = 2 * low + (limits[low] === value ? 1 : 0);
    const places = 2 * limits.length + 1;
    return places <= this.#most ? place : Math.floor((place * this.#most) / places);
  }

  /** All rows that the value fits, and some that it doesn't. */
  rowsFor(value: PlainValue): RowSet {
    if (typeof value === 'number') return this.#numbers[this.#bucketOf(value)] ?? this.#any;
    if (value === null) return this.#empty;
    return this.#others[this.#places.get(value) ?? -1] ?? this.#any;
  }

  fits(row: number, value: PlainValue): boolean {
    const reach = this.#reaches[row];
    switch (reach?.is) {
      case 'range':
        if (typeof value !== 'number') return false;
        return (value > reach.low && value < reach.high) || (!reach.open && (value === reach.low || value === reach.high));
      case 'values':
        return value !== null && reach.values.includes(value);
      case 'empty':
        return value === null;
      default:
        return true;
    }
  }
}
