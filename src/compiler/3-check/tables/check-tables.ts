// Checks decision tables: names, headings and kinds of cells. After the statements, reports what is never looked up.
import { parseMoment } from '../../../../runtime/dates/moment.js';
import type { CellValue, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionCell, DecisionRow, DecisionTable, Heading } from '../../2-parse/table-tree.js';
import type { Workflow } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { cellWords } from './cell-words.js';
import { reportUnreachable } from './unreachable-rows.js';

/** Call it before checking the statements. */
export function checkTables(checker: Checker, { tables }: Workflow): void {
  for (const table of tables) {
    const { text, span } = table.name;
    if (checker.tables.has(text) && text !== '') checker.report(catalogue.tableTwice(span, text));
    else checker.tables.set(text, table.kind === 'table' ? table : undefined);
    if (table.kind === 'table') checkTable(checker, table);
  }
}

/** Must be called after the statements are checked. */
export function checkTableUse(checker: Checker): void {
  for (const [name, table] of checker.tables) {
    const read = checker.lookedUp.get(name);
    const unfinished = checker.unfinishedTables.get(name);
    if (table !== undefined && unfinished !== undefined) checker.report(catalogue.partlyChecked(table, unfinished));
    if (table === undefined || checker.faultyTables.has(name)) continue;
    if (read === undefined) {
      checker.report(catalogue.unusedTable(table.name.span, name));
      continue;
    }
    for (const heading of table.headings)
      if (heading.test === undefined && !read.has(heading.name))
        checker.report(catalogue.unreadResult(heading.span, name, heading.name));
  }
}

function checkTable(checker: Checker, table: DecisionTable): void {
  const { headings, rows, name, file } = table;
  const seen = new Set<string>();
  let isRight = table.hasUnread !== true;
  const report = (diagnostic: Parameters<Checker['report']>[0]): void => {
    isRight = false;
    checker.report(diagnostic);
  };
  /** Columns whose cells don't go with the heading, which is most likely wrong. The first cell is reported. */
  const mismatched = new Set<number>();
  const reportMismatch = (column: number, diagnostic: Parameters<Checker['report']>[0]): void => {
    if (!mismatched.has(column)) report(diagnostic);
    mismatched.add(column);
  };
  for (const [column, heading] of headings.entries()) {
    if (seen.has(heading.name)) {
      const place = file === undefined ? undefined : { file, row: 1, column };
      report(catalogue.headingTwice(heading.span, heading.name, place));
    }
    seen.add(heading.name);
  }
  if (headings.every(({ test }) => test === undefined)) {
    report(catalogue.noCondition(name.span, name.text, file));
    for (const column of headings.keys()) mismatched.add(column);
  }
  if (headings.every(({ test }) => test !== undefined)) report(catalogue.noResult(name.span, name.text, file));
  if (rows.length === 0 && isRight) report(catalogue.noRows(name.span, name.text, file));
  for (const row of rows) {
    for (const [column, heading] of headings.entries()) {
      const cell = row.cells[column];
      if (cell === undefined || cell.is === 'unread') isRight = false;
      else checkCell(cell, heading, { checker, table, row, column, report, reportMismatch });
    }
  }
  if (mismatched.size > 0) checker.misheadedTables.add(name.text);
  if (isRight) reportUnreachable(checker, table);
  else checker.faultyTables.add(name.text);
}

interface Place {
  readonly checker: Checker;
  readonly table: DecisionTable;
  readonly row: DecisionRow;
  readonly column: number;
  readonly report: Checker['report'];
  readonly reportMismatch: (column: number, diagnostic: Parameters<Checker['report']>[0]) => void;
}

const numberTests: ReadonlySet<HeadingTest> = new Set(['is above', 'is below', 'is at least', 'is at most'] as const);

function checkCell(cell: Exclude<DecisionCell, { is: 'unread' }>, { name, test, span }: Heading, place: Place): void {
  const { checker, table, row, column, report, reportMismatch } = place;
  const at = table.file === undefined ? undefined : { file: table.file, row: row.line, column };
  const where = table.file === undefined ? cell.span : span;
  const heading = test === undefined ? name : `${name} ${test}`;
  const written = table.file === undefined ? checker.text.slice(cell.span.start, cell.span.end) : cellWords(cell);
  const checkLimits = (low: CellValue, high: CellValue): void => {
    if (isReversed(low, high)) report(catalogue.limitsReversed(where, shownValue(low), shownValue(high), at));
  };
  if (cell.is === 'limits') {
    if (test !== 'is between') reportMismatch(column, catalogue.cellWithLimits(where, heading, name, at));
    else if (typeof cell.low !== typeof cell.high || typeof cell.low === 'boolean')
      report(catalogue.wrongCell(where, `${written} are not of one kind`, heading, 'two numbers or two texts', at));
    else checkLimits(cell.low, cell.high);
    return;
  }
  if (cell.test === null) {
    if (test === undefined) reportMismatch(column, catalogue.resultNeedsValue(where, name, at));
    return;
  }
  if (test === 'is') {
    if (typeof cell.test === 'object' && cell.test[0] === 'between') checkLimits(cell.test[1], cell.test[2]);
    return;
  }
  if (typeof cell.test === 'object') {
    const [word] = cell.test;
    // A number of a file.
    if (word === 'same' && test === 'is not') return;
    if (test === undefined) {
      if (word !== 'empty') reportMismatch(column, catalogue.resultNeedsValue(where, name, at));
    } else report(catalogue.cellOnlyUnderIs(where, written, heading, name, at));
    return;
  }
  if (test === undefined || test === 'is not') return;
  const found = cell.test;
  const what = `${written} is ${typeof found === 'number' ? 'a number' : typeof found === 'boolean' ? 'true or false' : 'a text'}`;
  if (test === 'is between') report(catalogue.cellNeedsLimits(where, heading, at));
  else if (numberTests.has(test) && typeof found !== 'number') report(catalogue.wrongCell(where, what, heading, 'a number', at));
  else if ((test === 'is before' || test === 'is after') && !isDate(found))
    report(catalogue.wrongCell(where, `${written} is not a date`, heading, 'dates such as "2026-03-01"', at));
  else if (test === 'starts with' && typeof found !== 'string') report(catalogue.wrongCell(where, what, heading, 'a text', at));
}

const isReversed = (low: CellValue, high: CellValue): boolean =>
  (typeof low === 'number' && typeof high === 'number' && low > high) ||
  (typeof low === 'string' && typeof high === 'string' && low > high);

const isDate = (value: CellValue): boolean => typeof value === 'string' && parseMoment(value) !== undefined;

const shownValue = (value: CellValue): string => (value === null ? 'empty' : JSON.stringify(value));
