// The files of a random program, in memory: the workflows that it calls, and its tables.
import { posix } from 'node:path';
import type { WorkflowFiles, WorkflowPlace } from '../../../src/compiler/call-tree.js';
import { workbook } from '../../../src/connectors/tables/table-file.js';
import { csvTable, sheetTable } from '../../../src/engine/prepare/read-table-file.js';
import { readSheet } from '../../../src/input/read-sheet.js';
import { partsOf } from './calls-in.js';
import { printWorkflow } from './print.js';
import { fileRows, type Table } from './tables.js';
import type { Program, Workflow } from './tree.js';

export const programFile = 'random.wf';

/** What each file contains, by its path from the folder of the program. The lines of all statements are known afterwards. */
export type Files = ReadonlyMap<string, Buffer>;

export async function filesOf(program: Program): Promise<Files> {
  const files = new Map<string, Buffer>();
  const add = async (workflow: Workflow, file: string): Promise<void> => {
    files.set(file, Buffer.from(printWorkflow(workflow, file)));
    for (const table of workflow.tables)
      if (table.file !== undefined)
        files.set(posix.join(posix.dirname(file), table.file.name), await tableBytes(table, table.file));
  };
  await add(program, programFile);
  for (const { workflow, file } of partsOf(program)) await add(workflow, file);
  return files;
}

async function tableBytes(table: Table, { name, separator }: NonNullable<Table['file']>): Promise<Buffer> {
  const [headings = [], ...rows] = fileRows(table);
  if (name.endsWith('.xlsx')) {
    const made = await workbook({ columns: headings.map(String), rows });
    if (typeof made === 'string') throw new Error(made);
    return made;
  }
  const quoted = (cell: unknown): string => {
    const text = String(cell);
    return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Buffer.from([headings, ...rows].map((cells) => `${cells.map(quoted).join(separator)}\n`).join(''));
}

/** For the compiler. */
export const inMemory = (files: Files): WorkflowFiles => ({
  root: placeOf(programFile),
  locate: (target, from) => placeOf(posix.join(posix.dirname(from.file), target)),
  folderOf: ({ file }) => posix.dirname(file),
  read: ({ file }) => files.get(file) ?? 'it is missing',
  readTable({ file }, bytes) {
    if (file.endsWith('.csv')) return csvTable(file, bytes);
    return sheetTable(readSheet(file, Buffer.from(bytes), undefined, true).lines ?? []);
  },
});

const placeOf = (file: string): WorkflowPlace => ({ path: `/${file}`, file });

/** All of them, for a message. */
export const showFiles = (files: Files): string =>
  [...files]
    .filter(([name]) => !name.endsWith('.xlsx'))
    .map(([name, content]) => `--- ${name}\n${content}`)
    .join('\n');
