// Warnings about what a decision table does not cover, and what nothing uses or reaches in it.
import type { Diagnostic, Span } from '../diagnostic.js';
import { warning } from './make.js';

/** @param by the row that matches everything: `row 3`, `line 12` */
export const unreachableRow = (span: Span, row: string | undefined, by: string): Diagnostic =>
  warning('WF140', span, `${row === undefined ? 'This row' : row} never matches: ${by} above it covers all its values.`, {
    hint: 'Delete it, or move it up. The first matching row counts.',
  });

/** @param example `weight 35 and country "CH"` */
export const uncovered = (span: Span, table: string, example: string): Diagnostic =>
  warning('WF141', span, `No row of the table "${table}" matches ${example}: a run with these values would fail here.`, {
    hint: 'Add a row for them, such as a last one with any in every condition. Or say what to do below this line:\n    if nothing matches:',
  });

export const unreadResult = (span: Span, table: string, name: string): Diagnostic =>
  warning('WF142', span, `No line looks up "${name}" in the table "${table}".`, { hint: 'Delete the column, or look it up.' });

export const unusedTable = (span: Span, name: string): Diagnostic =>
  warning('WF143', span, `No line looks up the table "${name}".`, { hint: 'Delete the table, or look it up.' });

/** @param table too large to check completely */
export const partlyChecked = (
  { name, rows }: { readonly name: { readonly text: string; readonly span: Span }; readonly rows: readonly unknown[] },
  { comparedRows, hasUntried }: { readonly comparedRows?: number; readonly hasUntried?: boolean },
): Diagnostic => {
  const left = [
    ...(comparedRows === undefined
      ? []
      : [
          `only the first ${comparedRows.toLocaleString('en')} of its ${rows.length.toLocaleString('en')} rows were compared with the rows above them`,
        ]),
    ...(hasUntried === true ? ['not all combinations of values were tried, so some may match no row'] : []),
  ];
  const ways = [
    ...(comparedRows === undefined ? [] : ['Split the table into several, for example one per country.']),
    ...(hasUntried === true
      ? ['Below the look-up, say what to do with values that no row matches:\n    if nothing matches:']
      : []),
  ];
  return warning('WF146', name.span, `The table "${name.text}" is too large to check completely: ${left.join(', and ')}.`, {
    hint: ways.join('\n'),
  });
};

/** @param is the kind of the value: `"request.weight" is a number` @param cells `texts` */
export const neverFits = (span: Span, is: string, heading: string, cells: string): Diagnostic =>
  warning('WF144', span, `${is}, but the cells of the column "${heading}" are ${cells}: none of them ever fits.`);
