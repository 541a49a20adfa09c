// Prepares a workflow so that its runs report what they reach, and lists the lines and branches that no case reached.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { oneLine } from '../../runtime/values/one-line.js';
import { analyse } from '../analysis/analyse.js';
import type { Checked, Emitted } from '../compiler/compile.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { makeModule } from '../engine/prepare/make-module.js';
import { load, ready } from '../engine/prepare/prepare.js';
import type { Preparation } from '../engine/prepare/prepared.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';

/**
 * `line 19: reject with …` for each statement or branch that no case reached, in the order of the file, then the total. A
 * statement that was not reached includes the branches that start on its line.
 */
export function coverageLines(reachable: Emitted['reachable'], reached: ReadonlySet<number>, file: string): string[] {
  const missed = reachable.filter((_, index) => !reached.has(index));
  if (missed.length === 0) return reachable.length === 0 ? [] : [`The cases cover every line and branch of ${file}.`];
  const inFiles = missed.filter(({ kind, file: table }) => kind === 'row' && table !== undefined);
  const statements = new Set(missed.filter(({ kind }) => kind === 'statement').map(({ line }) => line));
  const shown = missed
    .filter(({ kind, line, file: table }) => table === undefined && (kind !== 'branch' || !statements.has(line)))
    .sort((one, other) => one.line - other.line);
  return [
    `Not covered by any case in ${file}:`,
    ...shown.map((place) => `    line ${place.line}: ${oneLine(describe(place))}`),
    ...[...new Set(inFiles.map(({ file: table = '' }) => table))].map(
      (table) => `    ${oneLine(table)}: ${rowsOf(inFiles, table)}`,
    ),
    `${reachable.length - missed.length} of ${reachable.length} lines and branches are covered.`,
  ];
}

/** Maximum rows to name; a file may have thousands. */
const MOST_ROWS = 20;

/** `row 3, row 7 and 12 more`. */
function rowsOf(missed: Emitted['reachable'], table: string): string {
  const rows = missed.filter(({ file }) => file === table).map(({ text }) => text);
  const more = rows.length - MOST_ROWS;
  return `${rows.slice(0, MOST_ROWS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A branch is not just its first line, which may well have been reached without entering the branch. */
function describe({ kind, text }: Emitted['reachable'][number]): string {
  return kind === 'branch' && /[:\u2026]$/.test(text) ? `"${text}" taken` : text;
}

/** What `wf check` says of the file. */
export const diagnosticsOf = (preparation: CoveredPreparation): readonly LocatedDiagnostic[] =>
  preparation.ok ? analyse(preparation.checked, preparation.prepared.file) : preparation.diagnostics;

export type CoveredPreparation = { readonly checked: Checked } & (
  | (Extract<Preparation, { ok: true }> & { readonly reachable: Emitted['reachable'] })
  | Extract<Preparation, { ok: false }>
);

/**
 * `file` must exist. With `trace`, the run also reports every variable that is set.
 * @param source its text, if it is another than the one on disk @param shown its name in messages, if it is another
 */
export async function prepareWithCoverage(
  file: string,
  {
    cwd,
    trace,
    source = readFileSync(path.resolve(cwd, file)),
    shown = file,
  }: { readonly cwd: string; readonly trace: boolean; readonly source?: Uint8Array; readonly shown?: string },
): Promise<CoveredPreparation> {
  const full = path.resolve(cwd, file);
  const made = await makeModule(source, shown, full, { trace, coverage: true, files: workflowFiles(file, cwd) });
  if (!made.ok) return { ok: false, checked: made.checked, file, diagnostics: made.diagnostics };
  const prepared = ready({ file, full, source }, await load(made.code, full), made.diagnostics);
  return { ...prepared, checked: made.checked, reachable: made.reachable };
}
