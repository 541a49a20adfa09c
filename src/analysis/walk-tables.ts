// Walks look-ups: one way for each row of a small table, as an `if` with a branch per row; large tables are not followed.
import type { CellTest, HeadingTest } from '../../runtime/tables/table-types.js';
import type { LookUp } from '../compiler/2-parse/tree.js';
import { normalTest } from '../compiler/3-check/tables/cells.js';
import type { InTurns } from '../compiler/in-turns.js';
import { compare, type Split, undecided } from './comparisons.js';
import { isTold, type State, withPassed, withVariable } from './state.js';
import { empty, keyOf, known, type Sym } from './symbolic.js';
import { forgotten, unknown, type Walker } from './walker.js';

/** Rows to follow one by one. */
const MOST_ROWS = 40;

export function* walkTable(walk: Walker, statement: LookUp, states: readonly State[]): InTurns<readonly State[]> {
  const { line, nothing } = statement;
  const found: State[] = [];
  const open: State[] = [];
  for (const state of states) {
    const evaluation = walk.evaluation(state);
    const given = new Map(walk.pairs(evaluation, statement.pairs));
    for (const entered of walk.after(evaluation, line)) {
      const fitting: State[] = [];
      const rest = withoutRow(walk, statement, entered, given, fitting);
      const told = (one: State): State => withPassed(one, { kind: 'turn', line, isTold: isTold(entered, one) });
      found.push(...fitting.map(told));
      open.push(...rest.map(told));
    }
  }
  if (nothing !== undefined) return [...found, ...(yield* walk.block(nothing.body, open))];
  for (const state of open) walk.endings.push({ status: 'error', line, state, outputs: new Map(), message: undefined });
  return found;
}

/** The states for which no row fits. @param found gets the others */
function withoutRow(
  walk: Walker,
  { table: name, line, results }: LookUp,
  entered: State,
  given: ReadonlyMap<string, Sym>,
  found: State[],
): readonly State[] {
  const table = walk.facts.tables.get(name.text);
  const inexact = withPassed({ ...entered, isExact: false }, { kind: 'turn', line, isTold: false });
  if (table === undefined || table.rows.length > MOST_ROWS) {
    const names = results.map(({ text }) => text);
    found.push(...forgotten([inexact], names));
    return [inexact];
  }
  let open: readonly State[] = [entered];
  for (const row of table.rows) {
    walk.spend(open);
    const next: State[] = [];
    for (const state of open) {
      const parts = rowFits(
        walk,
        state,
        line,
        table.headings.flatMap(({ name: column, test }, index) => {
          const cell = row.cells[index];
          return test === undefined || cell === undefined
            ? []
            : [{ test, cell: normalTest(cell), value: given.get(column) ?? empty }];
        }),
      );
      next.push(...parts.no);
      for (const one of parts.yes)
        found.push(
          results.reduce<State>((state_, { text }) => {
            const cell = row.cells[table.headings.findIndex((heading) => heading.name === text && heading.test === undefined)];
            const value =
              cell?.is === 'test' && (cell.test === null || typeof cell.test !== 'object')
                ? known(cell.test)
                : unknown(state_, text);
            return withVariable(state_, text, value);
          }, one),
        );
    }
    open = next.length > MOST_ROWS ? [inexact] : next;
  }
  return open;
}

interface Cell {
  readonly test: HeadingTest;
  readonly cell: CellTest;
  readonly value: Sym;
}

function rowFits(walk: Walker, state: State, line: number, cells: readonly Cell[]): Split {
  let open: readonly State[] = [state];
  const no: State[] = [];
  for (const cell of cells) {
    const next: State[] = [];
    for (const one of open) {
      const parts = cellFits(one, cell);
      next.push(...parts.yes);
      no.push(...parts.no);
      for (const fault of parts.faults) walk.fault(fault, line);
    }
    open = next;
  }
  return { yes: open, no, faults: [] };
}

const here = { start: 0, end: 0 };

function cellFits(state: State, { test, cell, value }: Cell): Split {
  if (cell === null) return { yes: [state], no: [], faults: [] };
  if (typeof cell !== 'object') {
    if (test === 'is between') return undecided(state, `between ${keyOf(value)} ${String(cell)}`, 'between');
    return compare(state, test, value, known(cell), here);
  }
  const [word, first, second] = cell;
  if (word === 'empty') return undecided(state, `empty ${keyOf(value)}`, 'empty');
  if (word === 'same') return undecided(state, `same ${test} ${keyOf(value)} ${String(first)}`, 'same');
  if (word === 'one of') return compare(state, 'is one of', value, known(cell.slice(1) as (string | number | boolean)[]), here); // all but its keyword
  if (word === 'between') {
    const low = compare(state, 'is at least', value, known(first ?? null), here);
    const parts = low.yes.map((one) => compare(one, 'is at most', value, known(second ?? null), here));
    return {
      yes: parts.flatMap(({ yes }) => yes),
      no: [...low.no, ...parts.flatMap(({ no }) => no)],
      faults: [...low.faults, ...parts.flatMap(({ faults }) => faults)],
    };
  }
  return compare(state, `is ${word}`, value, known(first ?? null), here);
}
