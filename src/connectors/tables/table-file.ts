// Writes rows as the kind of file that the name's ending asks for: CSV or a workbook.
import { fileEnding } from '../../../runtime/services/verbs.js';
import type { Value } from '../../../runtime/types.js';
import { csvText } from './csv-text.js';
import { rowsTable } from './rows-table.js';
import { workbook } from './workbook.js';

/** Returns a sentence if the rows can't be written as such a file. */
export async function tableFile(name: string, rows: Value): Promise<Buffer | string> {
  const ending = fileEnding(name);
  if (ending !== 'csv' && ending !== 'xlsx') return 'the name of a file with rows must end in .csv or .xlsx';
  const table = await rowsTable(rows);
  if (typeof table === 'string') return table;
  return ending === 'csv' ? Buffer.from(await csvText(table)) : workbook(table);
}
