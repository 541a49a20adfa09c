// A separate program that reads one sheet and writes it to standard output as JSON. A hostile file can make the sheet library
// run forever or use unlimited memory; killing this process then harms nothing else.
import { Worker } from 'node:worker_threads';
import { asTextTable, InputFault, loadFile } from './load-file.js';
import { readSheet, type SheetReply, type SheetRequest } from './read-sheet.js';
import { EmptyTable } from './table.js';

/** Kills the process once it has used this much processor time, in milliseconds. The library keeps the main thread from looking. */
const watch = `const { workerData } = require('node:worker_threads');
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1000 > workerData) process.kill(process.pid, 'SIGKILL');
}, 50);`;

async function reply({ file, cwd, sheet, asText, keepsLines = false }: SheetRequest): Promise<SheetReply> {
  try {
    const table = readSheet(file, await loadFile(file, cwd), sheet, keepsLines);
    return { ok: true, table: asTextTable(file, asText, table) };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { ok: false, what: error.what, more: error.more, isEmpty: error instanceof EmptyTable };
  }
}

const request: SheetRequest = JSON.parse(process.argv[2] ?? '');
new Worker(watch, { eval: true, workerData: request.processorMs }).unref();
void reply(request).then((said) => process.stdout.write(JSON.stringify(said)));
