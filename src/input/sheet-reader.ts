// A separate program that reads one sheet and writes it to standard output as JSON. A hostile file can make the sheet library
// run forever or use unlimited memory; killing this process then harms nothing else.
import { UsageError } from '../engine/usage-error.js';
import { asTextTable, loadFile } from './load-file.js';
import { readSheet, type SheetReply, type SheetRequest } from './read-sheet.js';

async function reply({ file, cwd, sheet, asText, keepsLines = false }: SheetRequest): Promise<SheetReply> {
  try {
    const table = readSheet(file, await loadFile(file, cwd), sheet, keepsLines);
    return { ok: true, table: asTextTable(file, asText, table) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ok: false, message: error.message, hint: error.hint };
  }
}

void reply(JSON.parse(process.argv[2] ?? '')).then((said) => process.stdout.write(JSON.stringify(said)));
