// Parses the lines under `tables:`. A row is split at its bars, and each cell is matched separately, so a mistake is reported in its place.
import { tokenClass } from '../1-layout/alphabet.js';
import { type Line, lineSpan, tokenSpan, UNIT } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { cellInOtherWords, headingInOtherWords } from '../vocabulary/table-in-other-words.js';
import type { ParseContext } from './context.js';
import type { BrokenTable, DecisionCell, DecisionRow, DeclaredTable, Heading } from './declaration-tree.js';
import { BLOCK, fits } from './match-line.js';

const BAR = '|';

/** The start of a cell that is a test. */
const TEST_WORDS = /^(?:one|above|below|at|between|any|empty|is)\b/i;

/** @param head the line `tables:` */
export function parseTables(head: Line, context: ParseContext): DeclaredTable[] {
  const tables: DeclaredTable[] = [];
  const queue = [...head.children].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    const matched = line.fault === undefined ? context.match('tableLine', line) : undefined;
    if (matched?.ok !== true) {
      const rows = line.fault === undefined && line.shape.endsWith(':') && line.children.length === 0 ? takeRows(queue) : [];
      const [first] = rows;
      context.report(
        first === undefined
          ? (line.fault ?? catalogue.badTable(lineSpan(line), line.children.length > 0 || line.shape.includes(BAR)))
          : catalogue.rowsBesideTable(lineSpan(first), UNIT * (line.depth + 1)),
      );
      tables.push(...brokenTable(line, context));
      continue;
    }
    const { node } = matched;
    queue.push(...[...matched.stray].reverse());
    if (node.kind === 'file') tables.push({ ...node, span: lineSpan(line), line: line.number });
    else tables.push(parseRows(line, node.name, context, queue));
  }
  return tables;
}

/** Rows that are indented like the name of their table, in its place. */
function takeRows(queue: Line[]): Line[] {
  const rows: Line[] = [];
  for (let line = queue.at(-1); line?.shape.startsWith(BAR) === true; line = queue.at(-1)) {
    rows.push(line);
    queue.pop();
  }
  return rows;
}

/** The words before the invalid part may be the name of a table. With rows but no words, it may be any table. */
function brokenTable(line: Line, context: ParseContext): BrokenTable[] {
  const name = context.name(line, 0);
  if (name === undefined && line.children.length > 0) return [{ kind: 'broken', name: { text: '', span: lineSpan(line) } }];
  if (name === undefined || line.shape.startsWith(BAR)) return [];
  const written = context.text.slice(line.start, line.end);
  const end = written.search(/[:"]|\sis\s/);
  const words = end === -1 ? written : written.slice(0, end);
  return [{ kind: 'broken', name: { text: words.trim().split(/\s+/).join(' '), span: name.span } }];
}

/** @param queue where lines go that belong to the next table */
function parseRows(head: Line, name: BrokenTable['name'], context: ParseContext, queue: Line[]): DeclaredTable {
  const [first, ...rest] = head.children;
  const broken: BrokenTable = { kind: 'broken', name };
  if (first === undefined) return broken;
  const headings = first.fault === undefined ? parseHeadings(first, context) : undefined;
  if (first.fault !== undefined) context.report(first.fault);
  // Without any comparison, the columns are most likely conditions.
  const hasTests = headings?.some(({ test }) => test !== undefined) ?? false;
  const rows: DecisionRow[] = [];
  let hasUnread = false;
  const report = (diagnostic: Diagnostic): void => {
    hasUnread = true;
    context.report(diagnostic);
  };
  const lines = [...first.children, ...rest];
  for (const [index, line] of lines.entries()) {
    if (context.gaveUp) break;
    if (isNextTable(line)) {
      report(catalogue.deepIndentation(lineSpan(line), UNIT * line.depth, UNIT));
      queue.push({ ...line, children: [...line.children, ...lines.slice(index + 1)] });
      break;
    }
    if (line.fault !== undefined) report(line.fault);
    else if (!isRuler(line)) {
      const cells = splitRow(line);
      if (cells === undefined) report(catalogue.notARow(lineSpan(line)));
      else if (headings !== undefined && cells.length !== headings.length)
        report(catalogue.rowLength(lineSpan(line), cells.length, headings.length, undefined));
      else if (headings !== undefined)
        rows.push({
          cells: cells.map((cell, column) => parseCell(cell, hasTests ? headings[column]?.test : 'is', context)),
          line: line.number,
          span: lineSpan(line),
        });
    }
    for (const child of line.children) report(catalogue.notARow(lineSpan(child)));
  }
  if (headings === undefined) return broken;
  const table = { kind: 'table', name, headings, rows, file: undefined, span: lineSpan(head), line: head.number } as const;
  return hasUnread ? { ...table, hasUnread } : table;
}

/** The head of a table that is indented like a row of the one before. */
const isNextTable = (line: Line): boolean =>
  line.fault === undefined && line.shape.endsWith(':') && fits('tableLine', line.shape + BLOCK);

/** A line of dashes under the headings, as in Markdown. */
const isRuler = ({ shape }: Line): boolean => /^[|:-]+$/.test(shape) && shape.includes('---');

/** The cells between the bars, each as a separate line; `undefined` if the line doesn't start and end with a bar. */
function splitRow(line: Line): Line[] | undefined {
  if (!line.shape.startsWith(BAR) || !line.shape.endsWith(BAR) || line.shape.length < 2) return undefined;
  const cells: Line[] = [];
  let from = 1;
  for (let index = 1; index < line.shape.length; index++) {
    if (line.shape.charAt(index) !== BAR) continue;
    const start = tokenSpan(line, from).start;
    const end = index > from ? tokenSpan(line, index - 1).end : start + 1;
    cells.push({
      number: line.number,
      depth: line.depth,
      start: Math.min(start, end),
      end,
      children: [],
      fault: undefined,
      shape: line.shape.slice(from, index),
      offsets: line.offsets.slice(2 * from, 2 * index),
    });
    from = index + 1;
  }
  return cells;
}

function parseHeadings(line: Line, context: ParseContext): Heading[] | undefined {
  const cells = splitRow(line);
  if (cells === undefined) {
    context.report(catalogue.notARow(lineSpan(line)));
    return undefined;
  }
  const headings: Heading[] = [];
  for (const cell of cells) {
    const matched = context.match('headingLine', cell);
    if (matched.ok) headings.push({ ...matched.node, span: lineSpan(cell) });
    else {
      const written = context.text.slice(cell.start, cell.end);
      context.report(catalogue.badHeading(lineSpan(cell), written, undefined, headingInOtherWords(written)));
    }
  }
  return headings.length === cells.length ? headings : undefined;
}

function parseCell(cell: Line, test: Heading['test'], context: ParseContext): DecisionCell {
  const span = lineSpan(cell);
  const written = cell.shape === '' ? '' : context.text.slice(cell.start, cell.end);
  // Ignore what the parser expected: how cells are written says more.
  const matched = fits('cellLine', cell.shape + tokenClass.eol) ? context.match('cellLine', cell) : undefined;
  if (matched?.ok !== true) {
    const [, counted = ''] = /^(.*\d)\s?(?:%|(?!(?:or|and|to)\b)[\p{L}]{1,20})$/u.exec(written) ?? [];
    const amount = /^-?\d+(?:\.\d+)?$/.test(counted) ? counted : cellInOtherWords(counted, test);
    const isName = cell.shape !== '' && context.name(cell, 0) !== undefined && !TEST_WORDS.test(written);
    const meant = cellInOtherWords(written, test) ?? amount;
    context.report(
      meant === undefined
        ? catalogue.badCell(span, written, isName ? 'unquoted' : 'unknown', undefined)
        : catalogue.everydayCell(span, written, meant),
    );
    return { is: 'unread', span };
  }
  if (matched.node.is === 'unread') {
    const meant = cellInOtherWords(written, test);
    context.report(
      meant === undefined
        ? catalogue.badCell(span, written, 'not fixed', undefined)
        : catalogue.everydayCell(span, written, meant),
    );
  }
  // It also fits the text, as it comes from a sheet.
  if (test === 'is' && (written === 'yes' || written === 'no'))
    return { is: 'test', test: ['one of', written === 'yes', written], span };
  return { ...matched.node, span };
}
