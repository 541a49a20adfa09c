// Adds tables from files to the tree, in place of the lines that name the files.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { type TableFile, tableFromFile } from './table-from-file.js';
import type { DeclaredTable, TableFileLine } from './table-tree.js';
import type { Workflow } from './tree.js';

/** Reads files of tables, by their names in the workflow. */
interface TableFiles {
  table(name: string): TableFile;
}

export function withTableFiles(workflow: Workflow, files: TableFiles | undefined, found: Diagnostic[]): Workflow {
  if (workflow.tables.every(({ kind }) => kind !== 'file')) return workflow;
  const report = (diagnostic: Diagnostic): void => {
    found.push(diagnostic);
  };
  const tables = workflow.tables.map((table) => (table.kind === 'file' ? readOne(table, files, report) : table));
  return { ...workflow, tables };
}

const HINT = 'Name a file beside the workflow:\n    Discounts is a table at "./discounts.xlsx"';

function readOne(line: TableFileLine, files: TableFiles | undefined, report: (fault: Diagnostic) => void): DeclaredTable {
  const { at, name } = line;
  const file = at.parts.map((part) => (typeof part === 'string' ? part : `{${[part.root, ...part.fields].join('.')}}`)).join('');
  if (at.isFaulty === true) return { kind: 'broken', name };
  if (at.parts.some((part) => typeof part !== 'string'))
    return broken('its path must be fixed, because the table is read before anything runs');
  if (!/\.(?:csv|xlsx)$/i.test(file)) return broken('it must be a .csv or .xlsx file');
  if (/^(?:[/\\]|[A-Za-z][\w+.-]*:)/.test(file)) return broken('its path must be relative to the workflow');
  const read = files?.table(file);
  return read === undefined ? broken('only a workflow in a file can have tables in files') : tableFromFile(line, read, report);

  function broken(what: string): DeclaredTable {
    report(catalogue.badTableFile(at.span, file, what, HINT));
    return { kind: 'broken', name };
  }
}
