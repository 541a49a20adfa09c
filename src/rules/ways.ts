// Every way from a request to an outcome as a decision table: a row for each way, a column for each value that decides.
import { type Domain, kindsDomain, unite, unitesExactly } from '../analysis/domain.js';
import { entriesOf, type PassedAnswer, passedBy } from '../analysis/state.js';
import { walk } from '../analysis/walk.js';
import type { WayEnd } from '../analysis/walker.js';
import { domainWords } from '../analysis/words.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked } from '../compiler/compile.js';

export interface Way {
  /** As written, `reject with "too large"`, and what it gives on this way: `complete with fee fee (fee 5)`. */
  readonly outcome: string;
  readonly line: number | undefined;
  /** The conditions, by the value that decides: `request.total` → `above 1000`. */
  readonly when: Readonly<Record<string, string>>;
}

interface WayTable {
  readonly columns: readonly string[];
  readonly rows: readonly Way[];
  /** The workflow has more ways than are listed, or too many to follow. */
  readonly isPartial: boolean;
}

const MOST_ROWS = 500;

/** The possible values of a name, or the result of a call. */
type Cell = Domain | string;

interface Row {
  readonly end: WayEnd;
  /** The outputs that are known: `state "large"`. */
  readonly result: readonly string[];
  /** By the value or the call. What is left out doesn't matter. */
  readonly cells: ReadonlyMap<string, Cell>;
}

export function waysOf(checked: Checked): WayTable {
  const walked = walk(checked.text, checked.workflow, checked.facts);
  const ends = (walked?.endings ?? []).filter(({ status }) => status !== 'error');
  const rows = fewest(ends.slice(0, MOST_ROWS).map(rowOf));
  const outcomes = new Map(
    [...statementsIn(checked.workflow.body)].map(({ line, span }) => [line, checked.text.slice(span.start, span.end)] as const),
  );
  const all = rows.map(({ end, result, cells }): Way => {
    const said = [...cells].map(([name, cell]) => [name, typeof cell === 'string' ? cell : domainWords(cell)] as const);
    const written = end.line === undefined ? 'complete (end of the file)' : (outcomes.get(end.line) ?? '');
    const given = result.filter((one) => !written.includes(one));
    const outcome = given.length === 0 ? written : `${written} (${given.join(', ')})`;
    return { outcome, line: end.line, when: Object.fromEntries(said.flatMap(([name, words]) => (words ? [[name, words]] : []))) };
  });
  const columns = [...new Set(all.flatMap(({ when }) => Object.keys(when)))];
  return { columns, rows: all, isPartial: walked === undefined || ends.length > MOST_ROWS };
}

/** The result of a call, by what it did on the way. */
const ANSWERS = { success: 'works', failure: 'fails', silence: 'fails', message: 'comes', 'nothing comes': 'nothing comes' };

function rowOf(end: WayEnd): Row {
  const cells = new Map<string, Cell>();
  for (const { atom, domain } of entriesOf(end.state.atoms).values()) {
    if (!atom.key.startsWith('? ') && !atom.key.includes('*')) cells.set(atom.name, domain);
  }
  for (const passed of passedBy(end.state)) {
    if (passed.kind !== 'answer') continue;
    const name = callName(passed);
    if (cells.get(name) !== ANSWERS.failure) cells.set(name, ANSWERS[passed.how]);
  }
  const result = [...end.outputs].flatMap(([name, value]) =>
    value.is === 'known' ? [`${name} ${JSON.stringify(value.value)}`] : [],
  );
  return { end, result, cells };
}

/** In every round of a loop, a call is the same one. */
const callName = ({ call, line }: PassedAnswer): string => `${call.replace(/#\d+$/, '')} (line ${line})`;

/** One row for the ways to an end of which one covers the other, or which differ in a single value. */
function fewest(rows: readonly Row[]): Row[] {
  const saysMore = sayingMore(rows);
  const told = (row: Row): Row => ({ ...row, cells: new Map([...row.cells].filter(saysMore)) });
  const kept: Row[] = [];
  for (let next of rows.map(told)) {
    for (let index = 0; index < kept.length; index++) {
      const other = kept[index];
      const both = other === undefined ? undefined : asOne(other, next);
      if (both === undefined) continue;
      kept.splice(index, 1);
      next = told(both);
      // Two merged rows may fit a third that neither of them fitted.
      index = -1;
    }
    kept.push(next);
  }
  return kept;
}

/**
 * Tells a cell that says more than what holds on every way: the declared limits of a value, its kind in all rows, a call that has to work for
 * any of the ends.
 */
function sayingMore(rows: readonly Row[]): (cell: readonly [name: string, cell: Cell]) => boolean {
  const known = new Map<string, Set<string>>();
  const kinds = new Map<string, number>();
  const failing = new Set<string>();
  for (const { end, cells } of rows) {
    for (const { atom } of entriesOf(end.state.atoms).values()) {
      const base = end.state.bases.get(atom.key);
      if (base !== undefined) known.set(atom.name, (known.get(atom.name) ?? new Set()).add(keyOf(base)));
    }
    for (const [name, cell] of cells)
      if (typeof cell === 'object') kinds.set(name, (kinds.get(name) ?? 0) | cell.kinds);
      else if (cell !== ANSWERS.success && cell !== ANSWERS.message) failing.add(name);
  }
  return ([name, cell]) =>
    typeof cell === 'string'
      ? failing.has(name)
      : !known.get(name)?.has(keyOf(cell)) && (cell.kinds !== kinds.get(name) || keyOf(cell) !== keyOf(kindsDomain(cell.kinds)));
}

/** The row that says exactly what two rows say, if there is one. */
function asOne(one: Row, other: Row): Row | undefined {
  if (one.end.line !== other.end.line || one.result.join() !== other.result.join()) return undefined;
  const names = new Set([...one.cells.keys(), ...other.cells.keys()]);
  const differing = [...names].filter((name) => keyOf(one.cells.get(name)) !== keyOf(other.cells.get(name)));
  const isWider = (row: Row, narrow: Row): boolean =>
    differing.every((name) => {
      const either = union(row.cells.get(name), narrow.cells.get(name));
      return either !== undefined && keyOf(either.cell) === keyOf(row.cells.get(name));
    });
  if (isWider(one, other)) return one;
  if (isWider(other, one)) return other;
  const [name] = differing;
  const either = name === undefined || differing.length > 1 ? undefined : union(one.cells.get(name), other.cells.get(name));
  if (name === undefined || either === undefined) return undefined;
  const cells = new Map(one.cells);
  if (either.cell === undefined) cells.delete(name);
  else cells.set(name, either.cell);
  return { ...one, cells };
}

/** Exactly what is one or the other; `undefined` if a cell can't say it. */
function union(one: Cell | undefined, other: Cell | undefined): { readonly cell: Cell | undefined } | undefined {
  // A call that works or fails doesn't matter.
  if (typeof one !== 'object' || typeof other !== 'object') return { cell: undefined };
  return unitesExactly(one, other) ? { cell: unite(one, other) } : undefined;
}

const keys = new WeakMap<Domain, string>();

/** Equal for cells that say the same. */
function keyOf(cell: Cell | undefined): string {
  if (typeof cell !== 'object') return cell ?? '';
  const only = cell.texts.only && [...cell.texts.only].sort();
  const key = keys.get(cell) ?? domainWords(only === undefined ? cell : { ...cell, texts: { ...cell.texts, only } }) ?? '';
  keys.set(cell, key);
  return key;
}

const headings = ({ columns }: WayTable): string[] => [...columns, 'outcome', 'line'];
const cells = ({ columns }: WayTable, { outcome, line, when }: Way): string[] => [
  ...columns.map((name) => when[name] ?? ''),
  outcome,
  line === undefined ? '' : String(line),
];

export function waysText(table: WayTable): string[] {
  const all = [headings(table), ...table.rows.map((row) => cells(table, row))];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
}

export function waysCsv(table: WayTable): string {
  // A cell that begins like a formula would be calculated by a spreadsheet.
  const quoted = (cell: string): string => `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
  return [headings(table), ...table.rows.map((row) => cells(table, row))].map((row) => row.map(quoted).join(',')).join('\n');
}

export function waysMarkdown(table: WayTable): string {
  const escaped = (cell: string): string =>
    cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/\s+/g, ' ');
  const row = (all: readonly string[]): string => `| ${all.map(escaped).join(' | ')} |`;
  return [
    row(headings(table)),
    `|${headings(table)
      .map(() => '---')
      .join('|')}|`,
    ...table.rows.map((one) => row(cells(table, one))),
  ].join('\n');
}
