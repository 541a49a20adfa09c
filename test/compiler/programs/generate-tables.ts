// Generates decision tables, also in files: some with a few rows, some with so many that the runtime builds an index.
import type { Kind } from './generate-operations.js';
import type { Counters } from './place.js';
import type { Cell, Literal, Table, TableFile } from './tables.js';
import type { Tape } from './tape.js';

const texts = ['a', 'b', 'ab', 'Ada', '12', '', 'a|b', '{x}', 'é😀', '"q"'] as const;
const numbers = [0, 1, 2, 2.5, 3, -1, 10, 100, 0.1, 99.99] as const;
const days = ['2026-03-01', '2026-01-31', '2024-02-29', '2026-10-25', '2026-03-01T09:30'] as const;
const conditions = ['country', 'weight', 'count', 'any', 'name', '名', 'first', 'total'] as const;
const results = ['cost', 'x', 'total-cost', 'result', 'a_b', 'größe'] as const;

interface Column {
  readonly name: string;
  readonly test: string | undefined;
  readonly kind: Kind;
}

const tests: Readonly<Record<'number' | 'text' | 'date', readonly [string, ...string[]]>> = {
  number: ['is', 'is', 'is not', 'is above', 'is below', 'is at least', 'is at most', 'is between'],
  text: ['is', 'is', 'is', 'is not', 'starts with', 'contains', 'is between'],
  date: ['is before', 'is after'],
};

/** Names of the variables that the results of tables become, and the kind of value that each condition compares. */
export interface GeneratedTable extends Table {
  readonly kinds: ReadonlyMap<string, Kind>;
}

/** @param counters of files; `undefined`: no table is in a file */
export function generateTables(tape: Tape, counters: Counters | undefined): GeneratedTable[] {
  return tape.some(2, () => tape.below(1)).map((_, index) => generateTable(tape, index, counters));
}

function generateTable(tape: Tape, index: number, counters: Counters | undefined): GeneratedTable {
  const taken = new Set<string>();
  const name = (choices: readonly [string, ...string[]]): string => {
    const free = choices.filter((choice) => !taken.has(choice));
    const chosen = free[tape.below(free.length)] ?? choices[0];
    taken.add(chosen);
    return chosen;
  };
  const columns: Column[] = [];
  for (let count = 1 + tape.below(3); count > 0; count--) {
    const kind = tape.one(['number', 'text', 'number', 'text', 'date'] as const);
    columns.push({ name: name(conditions), test: tape.one(tests[kind]), kind });
  }
  for (let count = 1 + tape.below(2); count > 0; count--) {
    const at = tape.chance(80) ? columns.length : tape.below(columns.length + 1);
    columns.splice(at, 0, { name: name(results), test: undefined, kind: tape.one(['number', 'text'] as const) });
  }
  const length = tape.chance(20) ? 16 + tape.below(30) : 1 + tape.below(6);
  const rows = Array.from({ length }, () => columns.map((column) => cellOf(tape, column)));
  return {
    name: `${tape.one(['Shipping cost', 'Rates', '名 table', 'All the rest'])} ${['one', 'two'][index] ?? 'more'}`,
    columns: columns.map((column) => ({ name: column.name, test: column.test })),
    rows,
    file: counters !== undefined && tape.chance(40) ? fileOf(tape, ++counters.tables) : undefined,
    kinds: new Map(columns.filter(({ test }) => test !== undefined).map((column) => [column.name, column.kind])),
  };
}

function fileOf(tape: Tape, number: number): TableFile {
  // Workbooks take longer.
  const ending = tape.chance(15) ? 'xlsx' : 'csv';
  return { name: `table-${number}.${ending}`, hasQuotes: tape.chance(30), separator: tape.one([',', ';']) };
}

function cellOf(tape: Tape, { test, kind }: Column): Cell {
  const literal = (): Literal => (kind === 'number' ? tape.one(numbers) : kind === 'text' ? tape.one(texts) : tape.one(days));
  if (test === undefined) {
    if (tape.chance(10)) return { k: 'empty' };
    return { k: 'value', value: tape.chance(20) ? tape.one<Literal>([true, false, 'x', 1]) : literal() };
  }
  if (tape.chance(15)) return { k: 'any', written: tape.one(['any', '-']) };
  if (test === 'is between') return { k: 'limits', ...limits(tape, kind) };
  if (test !== 'is') return { k: 'value', value: literal() };
  switch (tape.below(8)) {
    case 0:
      return {
        k: 'one of',
        values: [literal(), ...tape.some(2, () => (tape.chance(20) ? tape.one<Literal>([true, 'b', 1]) : literal()))],
      };
    case 1:
      return kind === 'number'
        ? { k: tape.one(['above', 'below', 'at least', 'at most']), value: tape.one(numbers) }
        : { k: 'value', value: literal() };
    case 2:
      return kind === 'number' ? { k: 'between', ...limits(tape, kind) } : { k: 'value', value: literal() };
    case 3:
      return tape.chance(50) ? { k: 'empty' } : { k: 'value', value: tape.one<Literal>([true, false, 'b', 1]) };
    default:
      return { k: 'value', value: literal() };
  }
}

/** In ascending order: the check refuses limits that nothing lies between. */
function limits(tape: Tape, kind: Kind): { readonly low: Literal; readonly high: Literal } {
  if (kind !== 'number') return { low: tape.one(['', 'a', 'A']), high: tape.one(['b', 'é', 'a']) };
  const [low, high] = [tape.one(numbers), tape.one(numbers)].sort((one, other) => one - other);
  return { low: low ?? 0, high: high ?? 0 };
}
