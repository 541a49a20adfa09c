// Writes one line in its form: a single space between words, and cells as wide as their column.
import { type Line, tokenText } from '../compiler/1-layout/line.js';
import { pieces } from '../compiler/diagnostics/excerpt.js';
import { isLongText } from './written-file.js';

const BAR = '|';
const RULER = /^[|:-]+$/;

/** The tokens of a line with the spaces between them. */
export function formatTokens(line: Line, text: string): string {
  return joined(line, text, 0, line.shape.length);
}

function joined(line: Line, text: string, first: number, end: number): string {
  let result = '';
  for (let index = first; index < end; index++) {
    if (isLongText(line, index)) continue;
    const token = tokenText(line, text, index);
    const isTight = index === first || /^[)\],:]$/.test(token) || /^[([]$/.test(tokenText(line, text, index - 1));
    result += isTight ? token : ` ${token}`;
  }
  return result;
}

/** Whether a line is a row of a table. */
export const isRow = ({ shape }: Line): boolean => shape.startsWith(BAR) && shape.endsWith(BAR) && shape.length > 1;

/** The rows of one table, aligned, by the number of their line. */
export function alignedRows(rows: readonly Line[], text: string): Map<number, string> {
  const cells = rows.map((row) => cellsOf(row, text));
  const widths: number[] = [];
  for (const row of cells)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, columnsOf(cell));
  const padded = (cell: string, column: number): string => cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell));
  return new Map(rows.map(({ number }, index) => [number, `| ${(cells[index] ?? []).map(padded).join(' | ')} |`]));
}

function cellsOf(row: Line, text: string): string[] {
  const isRuler = RULER.test(row.shape);
  const cells: string[] = [];
  let first = 1;
  for (let index = 1; index < row.shape.length; index++) {
    if (row.shape.charAt(index) !== BAR) continue;
    const cell = joined(row, text, first, index);
    cells.push(isRuler ? cell.replaceAll(' ', '') : cell);
    first = index + 1;
  }
  return cells;
}

/** Columns that a text takes on a terminal. */
const columnsOf = (text: string): number => pieces(text).reduce((sum, { width }) => sum + width, 0);
