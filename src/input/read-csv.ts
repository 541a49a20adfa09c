// The bytes of a `.csv` file go in, the `request` of a run comes out.
import { decodeUtf8 } from '../../runtime/json.js';
import { csvSeparator } from './csv-separator.js';
import { csvValue } from './csv-value.js';
import { inputFault } from './input-fault.js';
import { parseCsv } from './parse-csv.js';
import { type TableRequest, tableRequest } from './table-request.js';

/** @throws UsageError with the line of what is wrong. */
export function readCsv(file: string, bytes: Uint8Array): TableRequest {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) {
    throw inputFault(file, 'this is a workbook or a zip, not CSV text', {
      hint: 'If it is a workbook, let its name end in .xlsx.',
    });
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) {
    const hint = 'Save it again as "CSV UTF-8": a spreadsheet program offers that beside plain CSV.';
    throw inputFault(file, 'the text is not UTF-8', { line: decoded.line, hint });
  }
  const parsed = parseCsv(decoded.text, csvSeparator(decoded.text));
  if (!parsed.ok) throw inputFault(file, parsed.message, { line: parsed.line });
  const rows = parsed.rows.map(({ cells, line }) => ({ cells: cells.map(csvValue), line }));
  return tableRequest(file, rows, 'line');
}
