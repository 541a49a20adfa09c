// Every way from a request to an outcome as a decision table: a row for each way, a column for each value that decides.
import { anything, type Domain, type Interval, kindsDomain, unite, unitesExactly } from '../analysis/domain.js';
import { entriesOf, isQuestion, type Passed, type State } from '../analysis/state.js';
import type { Atom, Sym } from '../analysis/symbolic.js';
import { walk } from '../analysis/walk.js';
import type { WayEnd } from '../analysis/walker.js';
import { dayWords, domainWords, isDay } from '../analysis/words.js';
import { blocksOf, localsOf, statementsIn } from '../compiler/2-parse/walk.js';
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

/** The possible values of a name, the result of a call, or the answer to a condition. */
type Cell = Domain | string;

interface Row {
  readonly end: WayEnd;
  /** The outputs that are known: `state "large"`. */
  readonly result: readonly string[];
  /** By the value, the call or the condition. What is left out doesn't matter. */
  readonly cells: ReadonlyMap<string, Cell>;
  /** Lines that bear on the way as well, of which the cells don't say how. */
  readonly open: readonly number[];
}

/** The column that names these lines. */
const ALSO = 'also depends on lines';

export function waysOf(checked: Checked): WayTable {
  const walked = walk(checked.text, checked.workflow, checked.facts);
  const ends = (walked?.endings ?? []).filter(({ status }) => status !== 'error');
  const named = new Columns(checked);
  const rows = fewest(
    ends.slice(0, MOST_ROWS).map((end) => named.rowOf(end)),
    named.bases,
  );
  const statements = [...statementsIn(checked.workflow.body)];
  const outcomes = new Map(statements.map(({ line, span }) => [line, checked.text.slice(span.start, span.end)] as const));
  const lookUps = new Map(
    statements.flatMap((one) => (one.kind === 'look up' ? [[one.line, ` (table ${one.table.text})`] as const] : [])),
  );
  const all = rows.map(({ end, result, cells, open }): Way => {
    const said = [...cells].map(
      ([name, cell]) =>
        [
          name,
          typeof cell === 'string'
            ? cell
            : domainWords(beyond(cell, named.bases.get(name)), named.days.has(name) ? dayWords : undefined),
        ] as const,
    );
    const also = [ALSO, open.map((at) => `${at}${lookUps.get(at) ?? ''}`).join(', ')] as const;
    const written = end.line === undefined ? 'complete (end of the file)' : (outcomes.get(end.line) ?? '');
    const given = result.filter((one) => !written.includes(one));
    const outcome = given.length === 0 ? written : `${written} (${given.join(', ')})`;
    return {
      outcome,
      line: end.line,
      when: Object.fromEntries([...said, also].flatMap(([name, words]) => (words ? [[name, words]] : []))),
    };
  });
  const columns = new Set(all.flatMap(({ when }) => Object.keys(when)));
  if (columns.delete(ALSO)) columns.add(ALSO);
  return { columns: [...columns], rows: all, isPartial: walked === undefined || ends.length > MOST_ROWS };
}

/** A cell without the limits that its numbers have anyway. */
function beyond(cell: Domain, bases: ReadonlyMap<string, Domain> | undefined): Domain {
  const [base, other] = bases?.values() ?? [];
  const [first, last] = [base?.numbers[0], base?.numbers.at(-1)];
  if (base === undefined || other !== undefined || first === undefined || last === undefined) return cell;
  const numbers = cell.numbers.map((part): Interval => {
    if (part.low === part.high) return part;
    const low = part.low === first.low && part.lowOpen === first.lowOpen ? -Infinity : part.low;
    return { ...part, low, high: part.high === last.high && part.highOpen === last.highOpen ? Infinity : part.high };
  });
  return { ...cell, numbers };
}

/** The result of a call, by what it did on the way. */
const ANSWERS = {
  success: 'works',
  failure: 'gives an error',
  silence: 'gives no answer',
  message: 'comes',
  'nothing comes': 'nothing comes',
};
/** With an error, or without an answer. */
const FAILS = 'fails';
const failures: readonly (Cell | undefined)[] = [ANSWERS.failure, ANSWERS.silence, FAILS];

/** Names the columns of the table. */
class Columns {
  /** By column: what is known of the value before anything runs. */
  readonly bases = new Map<string, Map<string, Domain>>();
  /** Columns of dates, whose cells are numbers of days. */
  readonly days = new Set<string>();
  readonly #text: string;
  readonly #loops: { readonly names: readonly string[]; readonly isInside: (line: number | undefined) => boolean }[] = [];
  /** By name of an answer, or text of a condition: where it is. */
  readonly #lines = new Map<string, number[]>();

  constructor(checked: Checked) {
    this.#text = checked.text;
    for (const statement of statementsIn(checked.workflow.body)) {
      const names = localsOf(statement).map(({ text }) => text);
      const inside = blocksOf(statement).flatMap((block) => [...statementsIn(block)].map(({ line }) => line));
      const isInside = (line = 0): boolean => line > statement.line && line <= Math.max(...inside);
      if (names.length > 0) this.#loops.push({ names, isInside });
    }
  }

  rowOf(end: WayEnd): Row {
    const { state, outputs } = end;
    /** Loops whose rounds are over by the end. */
    const past = this.#loops.filter(({ isInside }) => !isInside(end.line));
    const isPast = (line: number): boolean => past.some(({ isInside }) => isInside(line));
    const isOver = (value: Sym | undefined): boolean => {
      if (value?.is === 'linear') return value.terms.some(({ atom }) => isOver(atom));
      if (value?.is !== 'atom') return false;
      const { origin } = value;
      if (origin.is === 'field') return isOver(origin.owner);
      if (origin.is === 'operation') return origin.operands.some(isOver);
      if (origin.is === 'answer') return isPast(lineOf(value));
      const loops = this.#loops.filter(({ names }) => names.includes(value.name));
      return loops.length > 0 && loops.every((loop) => past.includes(loop));
    };
    const cells = new Map<string, Cell>();
    for (const { atom, domain } of entriesOf(state.atoms).values()) {
      if (isQuestion(atom) || isOver(atom)) continue;
      const line = lineOf(atom);
      let name = line === 0 ? atom.name : this.#named(atom.name, line);
      if (isDay(atom)) this.days.add(name);
      else while (cells.has(name)) name += ' (later)';
      const base = state.bases.get(atom.key) ?? anything;
      this.bases.set(name, (this.bases.get(name) ?? new Map()).set(keyOf(base), base));
      cells.set(name, domain);
    }
    const open = new Set<number>();
    for (const one of eventsOf(state)) {
      if (one.kind === 'open') for (const line of one.lines) open.add(line);
      else if (one.kind === 'turn' && !one.isTold) open.add(one.line);
      if (one.kind === 'open' || one.kind === 'turn' || isPast(one.line)) continue;
      if (one.kind === 'decision' && !one.isTold)
        cells.set(this.#named(this.#text.slice(one.span.start, one.span.end), one.line), one.answer ? 'yes' : 'no');
      if (one.kind === 'answer') {
        const name = one.call.replace(/#.*/, ` (line ${one.line})`);
        // In every round of a loop, a call is the same one.
        if (!failures.includes(cells.get(name))) cells.set(name, ANSWERS[one.how]);
      }
    }
    const result = [...outputs].flatMap(([name, value]) =>
      value.is === 'known' ? [`${name} ${JSON.stringify(value.value)}`] : [],
    );
    return { end, result, cells, open: [...open].sort((one, other) => one - other) };
  }

  /** The same name in different lines tells them apart. */
  #named(name: string, line: number): string {
    const lines = this.#lines.get(name) ?? [];
    this.#lines.set(name, lines);
    if (!lines.includes(line)) lines.push(line);
    return lines[0] === line ? name : `${name} (line ${line})`;
  }
}

/** Where the call is that a value comes from; 0 for other values. */
const lineOf = ({ origin }: Atom): number =>
  origin.is === 'field' ? lineOf(origin.owner) : origin.is === 'answer' ? Number(/#(\d+)/.exec(origin.call)?.[1]) : 0;

/** The events of a way; of ways that were joined, those that they share. */
function eventsOf(state: State): Passed[] {
  const events: Passed[] = [];
  let at = state.passed;
  while (at !== undefined) {
    const { value } = at;
    events.unshift(value);
    at = value.kind === 'open' && value.shared !== undefined ? value.shared.passed : at.before;
  }
  return events;
}

/** One row for the ways to an end of which one covers the other, or which differ in a single value. */
function fewest(rows: readonly Row[], bases: Columns['bases']): Row[] {
  const saysMore = sayingMore(rows, bases);
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
function sayingMore(rows: readonly Row[], bases: Columns['bases']): (cell: readonly [name: string, cell: Cell]) => boolean {
  const kinds = new Map<string, number>();
  const deciding = new Set<string>();
  for (const { cells } of rows)
    for (const [name, cell] of cells)
      if (typeof cell === 'object') kinds.set(name, (kinds.get(name) ?? 0) | cell.kinds);
      else if (cell !== ANSWERS.success && cell !== ANSWERS.message) deciding.add(name);
  // The ways behind a row that leaves something open may have differed in any value.
  const isKind = (name: string, cell: Domain): boolean =>
    cell.kinds === kinds.get(name) &&
    keyOf(cell) === keyOf(kindsDomain(cell.kinds)) &&
    rows.every(({ cells, open }) => open.length === 0 || cells.has(name));
  return ([name, cell]) =>
    typeof cell === 'string' ? deciding.has(name) || cell === 'yes' : !bases.get(name)?.has(keyOf(cell)) && !isKind(name, cell);
}

/** The row that says exactly what two rows say, if there is one. */
function asOne(one: Row, other: Row): Row | undefined {
  if (one.end.line !== other.end.line || one.result.join() !== other.result.join()) return undefined;
  const names = new Set([...one.cells.keys(), ...other.cells.keys()]);
  const differing = [...names].filter((name) => keyOf(one.cells.get(name)) !== keyOf(other.cells.get(name)));
  const isWider = (row: Row, narrow: Row): boolean =>
    (row.open.length === 0 || row.open.join() === narrow.open.join()) &&
    differing.every((name) => {
      const either = union(row.cells.get(name), narrow.cells.get(name));
      return either !== undefined && keyOf(either.cell) === keyOf(row.cells.get(name));
    });
  if (isWider(one, other)) return one;
  if (isWider(other, one)) return other;
  const [name] = differing;
  const either = name === undefined || differing.length > 1 ? undefined : union(one.cells.get(name), other.cells.get(name));
  if (name === undefined || either === undefined || one.open.join() !== other.open.join()) return undefined;
  const cells = new Map(one.cells);
  if (either.cell === undefined) cells.delete(name);
  else cells.set(name, either.cell);
  return { ...one, cells };
}

/** Exactly what is one or the other; `undefined` if a cell can't say it. */
function union(one: Cell | undefined, other: Cell | undefined): { readonly cell: Cell | undefined } | undefined {
  if (failures.includes(one) && failures.includes(other)) return { cell: FAILS };
  // A call that works or fails doesn't matter, nor does a condition that holds or not.
  if (typeof one !== 'object' || typeof other !== 'object') {
    const worst = one === undefined || other === undefined ? -1 : Math.max(failures.indexOf(one), failures.indexOf(other));
    return worst === 0 || worst === 1 ? undefined : { cell: undefined };
  }
  return unitesExactly(one, other) ? { cell: unite(one, other) } : undefined;
}

const keys = new WeakMap<Domain, string>();

/** Equal for cells that say the same. */
function keyOf(cell: Cell | undefined): string {
  if (typeof cell !== 'object') return cell ?? '';
  const only = cell.texts.only && [...cell.texts.only].sort();
  const key =
    keys.get(cell) ?? domainWords(only === undefined ? cell : { ...cell, texts: { ...cell.texts, only } }, String) ?? '';
  keys.set(cell, key);
  return key;
}

const headings = ({ columns }: WayTable): string[] => [...columns, 'outcome', 'line'];
const cells = ({ columns }: WayTable, { outcome, line, when }: Way): string[] => [
  ...columns.map((name) => when[name] ?? ''),
  outcome,
  line === undefined ? '' : String(line),
];

/** Characters of a line that still reads as a row. */
const WIDEST_ROW = 120;

/** A table; one that is too wide for it as a list of its outcomes. */
export function waysText(table: WayTable): string[] {
  const whole = aligned([headings(table), ...table.rows.map((row) => cells(table, row))]);
  return whole.some((line) => line.length > WIDEST_ROW) ? outcomesText(table) : whole;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
}

/** What all ways to an outcome share is said once, then what tells them apart: as a table if that is narrow enough. */
function outcomesText({ columns, rows }: WayTable): string[] {
  const outcomes = new Map<number | undefined, Way[]>();
  for (const row of rows) outcomes.set(row.line, [...(outcomes.get(row.line) ?? []), row]);
  return [...outcomes].flatMap(([line, ways]) => {
    const { title, results } = resultsApart(ways.map(({ outcome }) => outcome));
    const [first] = ways;
    const shared = columns.filter((name) => ways.every(({ when }) => when[name] === first?.when[name]));
    const own = columns.filter((name) => !shared.includes(name));
    const names = [...own, ...(results === undefined ? [] : [RESULT])];
    const valuesOf = ({ when }: Way, index: number): string[] => [
      ...own.map((name) => when[name] ?? ''),
      ...(results === undefined ? [] : [results[index] ?? '']),
    ];
    const said = shared.flatMap((name) => (first?.when[name] === undefined ? [] : [`${name}: ${first.when[name]}`]));
    const all = ways.map(valuesOf);
    const table = aligned([names, ...all]);
    const isNarrow = table.every((row) => row.length + 2 * DEPTH.length <= WIDEST_ROW);
    const apart = isNarrow ? table : all.flatMap((values, index) => [index === 0 ? 'either' : 'or', ...listed(names, values)]);
    return [
      `${line === undefined ? '' : `line ${line}: `}${title}`,
      ...[...said, ...(ways.length === 1 ? [] : apart)].map((one) => `${DEPTH}${one}`),
    ];
  });
}

const DEPTH = '    ';
/** The column with the results that are known. */
const RESULT = 'result';

function listed(names: readonly string[], values: readonly string[]): string[] {
  const all = names.flatMap((name, index) => (values[index] ? [`${DEPTH}${name}: ${values[index]}`] : []));
  return all.length === 0 ? [`${DEPTH}nothing else`] : all;
}

/** What all outcomes of a line share, `complete with cost cost`, and what each of them adds: `cost 4.9`. */
function resultsApart(outcomes: readonly string[]): { readonly title: string; readonly results?: readonly string[] } {
  const [first = ''] = outcomes;
  if (outcomes.every((one) => one === first)) return { title: first };
  const isShared = (length: number): boolean => outcomes.every((one) => one.slice(0, length) === first.slice(0, length));
  let end = first.length;
  while (!isShared(end)) end = Math.max(0, first.lastIndexOf(' (', end - 1));
  return { title: first.slice(0, end), results: outcomes.map((one) => one.slice(end + 2, -1)) };
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
