// Every way from a request to an outcome as a decision table: a row for each way, a column for each value that decides.

import { type Domain, unite } from '../analysis/domain.js';
import { entriesOf } from '../analysis/state.js';
import { walk } from '../analysis/walk.js';
import type { WayEnd } from '../analysis/walker.js';
import { domainWords } from '../analysis/words.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked } from '../compiler/compile.js';

export interface Way {
  /** As written: `reject with "too large"`. */
  readonly outcome: string;
  readonly line: number | undefined;
  /** What must hold, by the value that decides: `request.total` → `above 1000`. */
  readonly when: Readonly<Record<string, string>>;
}

export interface WayTable {
  readonly columns: readonly string[];
  readonly rows: readonly Way[];
  /** The workflow has more ways than are listed, or too many to follow. */
  readonly isPartial: boolean;
}

const MOST_ROWS = 500;

interface Row {
  readonly end: WayEnd;
  readonly domains: ReadonlyMap<string, Domain>;
}

export function waysOf(checked: Checked): WayTable {
  const walked = walk(checked.text, checked.workflow, checked.facts);
  const ends = (walked?.endings ?? []).filter(({ status }) => status !== 'error');
  const rows = merged(ends.slice(0, MOST_ROWS).map(rowOf));
  const outcomes = new Map(
    [...statementsIn(checked.workflow.body)].map(({ line, span }) => [line, checked.text.slice(span.start, span.end)] as const),
  );
  const said = new Map<string, Way>();
  for (const { end, domains } of rows) {
    const when = Object.fromEntries(
      [...domains].flatMap(([name, domain]) => {
        const words = domainWords(domain);
        return words === undefined ? [] : [[name, words]];
      }),
    );
    const outcome = end.line === undefined ? 'complete (end of the file)' : (outcomes.get(end.line) ?? '');
    said.set(JSON.stringify([end.line, when]), { outcome, line: end.line, when });
  }
  const all = [...said.values()];
  const columns = [...new Set(all.flatMap(({ when }) => Object.keys(when)))];
  return { columns, rows: all, isPartial: walked === undefined || ends.length > MOST_ROWS };
}

function rowOf(end: WayEnd): Row {
  const domains = new Map<string, Domain>();
  for (const { atom, domain } of entriesOf(end.state.atoms).values()) {
    if (!atom.key.startsWith('? ') && !atom.key.includes('*')) domains.set(atom.name, domain);
  }
  return { end, domains };
}

/** Joins two ways to one end that differ only in the numbers of one value. */
function merged(rows: readonly Row[]): Row[] {
  const kept: Row[] = [];
  for (const row of rows) {
    const index = kept.findIndex((other) => other.end.line === row.end.line && differing(other, row) !== undefined);
    const other = kept[index];
    const name = other === undefined ? undefined : differing(other, row);
    const [one, two] = name === undefined ? [] : [other?.domains.get(name), row.domains.get(name)];
    if (other === undefined || name === undefined || one === undefined || two === undefined) kept.push(row);
    else kept[index] = { ...other, domains: new Map([...other.domains, [name, unite(one, two)]]) };
  }
  return kept;
}

/** The only value in which two ways differ, if it is one of numbers. */
function differing(one: Row, other: Row): string | undefined {
  if (one.domains.size !== other.domains.size) return undefined;
  const names = [...one.domains].flatMap(([name, domain]) =>
    JSON.stringify(domain) === JSON.stringify(other.domains.get(name)) ? [] : [name],
  );
  const [name] = names;
  const [left, right] = [one.domains.get(name ?? ''), other.domains.get(name ?? '')];
  const isNumeric =
    left !== undefined &&
    right !== undefined &&
    left.kinds === right.kinds &&
    JSON.stringify(left.texts) === JSON.stringify(right.texts);
  return names.length === 1 && isNumeric ? name : undefined;
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
