// Writes rows as the XML of a worksheet. Numbers and booleans keep their type, everything else is text. There are no formulas.

import { nextTurn } from '../../../runtime/run/yield-queue.js';
import { show } from '../../../runtime/values/values.js';
import { columnLetters } from '../../compiler/diagnostics/column-letters.js';
import type { Cell, RowsTable } from './rows-table.js';

const head =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
const end = '</sheetData></worksheet>';

/** Maximum characters of a cell. */
const longestCell = 32_767;
/** Cells to write before other work gets a turn. */
const cellsAtOnce = 10_000;

/** The parts of the text, in order, or a sentence if a cell can't be written. */
export async function sheetXml({ columns, rows }: RowsTable): Promise<Buffer[] | string> {
  const parts: Buffer[] = [];
  let text = head;
  let cells = 0;
  const names = columns.map((_, index) => columnLetters(index));
  for (const [index, row] of [columns, ...rows].entries()) {
    const written = rowXml(row, index + 1, names);
    if (written === undefined)
      return `a cell in row ${index + 1} has more than ${longestCell.toLocaleString('en-US')} characters`;
    text += written;
    cells += row.length;
    if (cells < cellsAtOnce) continue;
    cells = 0;
    parts.push(Buffer.from(text));
    text = '';
    await nextTurn();
  }
  parts.push(Buffer.from(text + end));
  return parts;
}

function rowXml(row: readonly Cell[], number: number, names: readonly string[]): string | undefined {
  let xml = `<row r="${number}">`;
  for (const [index, cell] of row.entries()) {
    if (cell === null || cell === '') continue;
    const place = `r="${names[index] ?? ''}${number}"`;
    if (typeof cell === 'number') xml += `<c ${place}><v>${show(cell)}</v></c>`;
    else if (typeof cell === 'boolean') xml += `<c ${place} t="b"><v>${cell ? 1 : 0}</v></c>`;
    else {
      if (cell.length > longestCell) return undefined;
      xml += `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
    }
  }
  return `${xml}</row>`;
}

/** XML has no control characters: workbooks write them as `_x0007_`, and escape text that looks like that. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\u0000-\u0008\u000b\u000c\u000d-\u001f\ufffe\uffff]|\p{Surrogate}/gu, (character) =>
      /\p{Surrogate}/u.test(character) ? '\ufffd' : `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}
