// Tables in files, in place of the lines that name the files.
import { loosely } from '../../../runtime/inputs/accept-request.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { pathAsWritten } from '../vocabulary/field-names.js';
import type { DeclaredTable, TableFileLine } from './declaration-tree.js';
import { type TableFile, tableFromFile } from './table-from-file.js';
import type { Statement, Workflow } from './tree.js';
import { statementsIn } from './walk.js';

/** Reads files of tables, by their names in the workflow. */
interface TableFiles {
  table(name: string): TableFile;
}

/** Adds tables from files to the tree, in place of the lines that name the files. */
export function withTableFiles(workflow: Workflow, files: TableFiles | undefined, found: Diagnostic[]): Workflow {
  const report = (diagnostic: Diagnostic): void => {
    found.push(diagnostic);
  };
  const statements = [...statementsIn(workflow.body)];
  const tables = workflow.tables.map((table) =>
    table.kind === 'file' ? namedAsLookedUp(readOne(table, files, report), statements) : table,
  );
  return { ...workflow, tables };
}

const HINT = 'Name a file beside the workflow:\n    Discounts is a table at "./discounts.xlsx"';

function readOne(line: TableFileLine, files: TableFiles | undefined, report: (fault: Diagnostic) => void): DeclaredTable {
  const { at, name } = line;
  const file = at.parts.map((part) => (typeof part === 'string' ? part : `{${pathAsWritten(part)}}`)).join('');
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

/** The names of a table as look-ups write them, if they differ only in case, spaces, hyphens and underscores. */
function namedAsLookedUp(table: DeclaredTable, statements: readonly Statement[]): DeclaredTable {
  if (table.kind !== 'table') return table;
  const written = statements.flatMap((one) =>
    one.kind === 'look up' && one.table.text === table.name.text ? [...one.results, ...one.pairs.map(({ key }) => key)] : [],
  );
  const known = new Set(table.headings.map(({ name }) => name));
  const [headings, wanted] = [new Map<string, string[]>(), new Map<string, string>()];
  for (const name of known) headings.set(loosely(name), [...(headings.get(loosely(name)) ?? []), name]);
  for (const { text } of written) if (!known.has(text)) wanted.set(loosely(text), text);
  for (const { text } of written) if (known.has(text)) wanted.delete(loosely(text));
  const nameOf = (name: string): string =>
    headings.get(loosely(name))?.length === 1 ? (wanted.get(loosely(name)) ?? name) : name;
  return { ...table, headings: table.headings.map((heading) => ({ ...heading, name: nameOf(heading.name) })) };
}
