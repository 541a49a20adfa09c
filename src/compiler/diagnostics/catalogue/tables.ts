// Diagnostics about decision tables: how they are written, gaps in their rows, and how they are looked up.

import { lookUpLines } from '../../vocabulary/look-up-line.js';
import { columnLetters } from '../column-letters.js';
import type { Diagnostic, Misspelt, Span } from '../diagnostic.js';
import { instead, why, writeLines } from '../hint-marks.js';
import { error, warning } from './make.js';

/** A cell of a table in a file. Columns count from 0. */
export interface FilePlace {
  readonly file: string;
  readonly row: number;
  readonly column: number;
}

const EXAMPLE = `    Shipping cost:
        | country is | weight is at most | cost |
        | "DE"       | 5                 | 4.90 |
        | any        | any               | 29   |`;

export const inFile = (place: FilePlace | undefined): string =>
  place === undefined ? '' : `${place.file}, row ${place.row}, column ${columnLetters(place.column)}: `;

/** @param isRow whether it looks like a row of a table */
export const badTable = (span: Span, isRow: boolean): Diagnostic =>
  error(
    'WF250',
    span,
    isRow ? "I can't read this line: a table starts with its name and a colon." : "I can't read this line as a table.",
    {
      hint: `Write a table like this, or name a file next to the workflow:\n${EXAMPLE}\n    Discounts is a table at "./discounts.xlsx"`,
    },
  );

export const notARow = (span: Span): Diagnostic =>
  error('WF250', span, 'This is not a row of the table: a row starts and ends with a bar.', {
    hint: `Write it like this:\n${EXAMPLE}`,
  });

/** @param spaces how deep the rows of the table must be */
export const rowsBesideTable = (span: Span, spaces: number): Diagnostic =>
  error('WF250', span, 'Rows of a table must be indented more than its name.', {
    hint: `Indent this row, and those below it, by ${spaces} spaces.`,
  });

/** @param meant the heading as wf reads it */
export const badHeading = (span: Span, written: string, place: FilePlace | undefined, meant: string | undefined): Diagnostic =>
  error('WF250', span, `${inFile(place)}I can't read ${written === '' ? 'this empty heading' : `the heading "${written}"`}.`, {
    hint:
      meant !== undefined
        ? `Write it like this: ${instead(meant)}`
        : 'A condition is a name and a comparison: country is. A result is only a name: cost.\nThe comparisons are: is, is not, is above, is below, is at least, ' +
          'is at most, is between, starts with, contains, is before, is after. Join the words of a name with hyphens: delivery-country',
  });

export const headingTwice = (span: Span, name: string, place: FilePlace | undefined): Diagnostic =>
  error('WF250', span, `${inFile(place)}The table already has a column "${name}".`, {
    hint: 'Give each column a different name. For a range, write one column: score is between.',
  });

/** @param file if the table is in one */
const ofTable = (file: string | undefined, table: string): string =>
  file === undefined ? `The table "${table}"` : `${file}, row 1: The table "${table}"`;

/** The headings of a file are in its first row, without bars. */
const exampleFor = (file: string | undefined): string =>
  file === undefined ? EXAMPLE : '    country is, weight is at most, cost\n    DE, 5, 4.90\n    any, any, 29';

/** @param meant its own headings, of which the first is a comparison */
export const noCondition = (span: Span, table: string, file: string | undefined, meant: readonly string[]): Diagnostic =>
  error('WF250', span, `${ofTable(file, table)} has no conditions: no heading is a comparison.`, {
    hint: `Write what is compared, and how, in the headings:\n    ${file === undefined ? `| ${meant.join(' | ')} |` : meant.join(', ')}`,
  });

export const noResult = (span: Span, table: string, file: string | undefined): Diagnostic =>
  error('WF250', span, `${ofTable(file, table)} has no results: every heading is a comparison.`, {
    hint: `Add a column whose heading is only a name:\n${exampleFor(file)}`,
  });

export const noRows = (span: Span, table: string, file: string | undefined): Diagnostic =>
  error('WF250', span, `${ofTable(file, table)} has no rows.`, { hint: `Write them below the headings:\n${exampleFor(file)}` });

/** @param place of the first excess cell; in a workflow, the row itself is shown */
export const rowLength = (span: Span, found: number, expected: number, place: FilePlace | undefined): Diagnostic =>
  error(
    'WF250',
    span,
    `${inFile(place)}This row has ${found} ${found === 1 ? 'cell' : 'cells'}, but the table has ${expected} ${expected === 1 ? 'heading' : 'headings'}.`,
    { hint: 'Each heading needs a cell. To accept every value, write any or -.' },
  );

export const tableTwice = (span: Span, name: string): Diagnostic =>
  error('WF251', span, `There is already a table "${name}".`, { hint: 'Give each table a different name.' });

const cellHints = {
  unquoted: why('Put text in quotes:\n    '),
  unknown:
    'A cell contains a fixed value ("DE", 5, true), any, or -. Under "is", also: one of "AT", "CH" · above 5 · between 1 and 3 · empty',
  'not fixed': 'A cell contains a fixed value. To compare with a value of the run, make it a condition of the look-up.',
  file: 'To accept every value, write any or -. To accept a missing value, write empty.',
} as const;

/** An invalid cell. */
export const badCell = (span: Span, written: string, fault: keyof typeof cellHints, place: FilePlace | undefined): Diagnostic =>
  error(
    'WF252',
    span,
    `${inFile(place)}${written === '' ? 'This cell is empty.' : `I can't read the cell ${written.startsWith('"') ? written : `"${written}"`}.`}`,
    {
      hint: written === '' ? cellHints.file : fault === 'unquoted' ? `${cellHints.unquoted}"${written}"` : cellHints[fault],
    },
  );

/** @param meant the cell as wf reads it */
export const everydayCell = (span: Span, written: string, meant: string): Diagnostic =>
  error('WF252', span, `I can't read the cell ${written.startsWith('"') ? written : `"${written}"`}.`, {
    hint: `Write it like this: ${instead(meant)}`,
  });

/** @param what the kind of the cell: `"heavy" is a text` @param needs `a number` */
export const wrongCell = (span: Span, what: string, heading: string, needs: string, place: FilePlace | undefined): Diagnostic =>
  error('WF252', span, `${inFile(place)}${what}, but the column "${heading}" needs ${needs}.`);

/** A form of cells that only the heading `is` allows. */
export const cellOnlyUnderIs = (
  span: Span,
  written: string,
  heading: string,
  name: string,
  place: FilePlace | undefined,
): Diagnostic =>
  error('WF252', span, `${inFile(place)}"${written}" is already a comparison, and so is the heading "${heading}".`, {
    hint: `Write only the value, or change the heading to: ${name} is`,
  });

export const cellNeedsLimits = (span: Span, heading: string, place: FilePlace | undefined): Diagnostic =>
  error('WF252', span, `${inFile(place)}The column "${heading}" needs two limits.`, {
    hint: 'Write them like this:\n    0 and 50',
  });

export const cellWithLimits = (span: Span, heading: string, name: string, place: FilePlace | undefined): Diagnostic =>
  error('WF252', span, `${inFile(place)}Two limits are only for "is between", but this column is "${heading}".`, {
    hint: `Write the heading as: ${name} is between\nUnder "is", write: between 0 and 50`,
  });

export const resultNeedsValue = (span: Span, name: string, place: FilePlace | undefined): Diagnostic =>
  error('WF252', span, `${inFile(place)}The result "${name}" needs a value here, but this is a condition.`, {
    hint: `Write a fixed value, or empty for none.\nIf this column is a condition, write its heading as: ${name} is`,
  });

/** @param low the greater of the two */
export const limitsReversed = (span: Span, low: string, high: string, place: FilePlace | undefined): Diagnostic =>
  error('WF252', span, `${inFile(place)}Nothing is between ${low} and ${high}: ${low} is more than ${high}.`, {
    hint: 'Put the smaller value first.',
  });

/** @param what continues the sentence after a colon */
export const badTableFile = (span: Span, file: string, what: string, hint: string | undefined): Diagnostic =>
  error('WF253', span, `I can't use "${file}" as a table: ${what}.`, { hint });

/** @param line the whole line, which may be a look-up in other words */
export function unknownTable(
  { span, suggestion }: Misspelt,
  name: string,
  hasTables: boolean,
  line: string,
  text: string,
): Diagnostic {
  const lines = hasTables ? lookUpLines(line, text) : undefined;
  if (lines !== undefined)
    return error('WF254', span, `There is no table "${name}".`, { hint: writeLines(lines.join('\n    ')) });
  return error('WF254', span, `There is no table "${name}".`, {
    suggestion,
    hint: hasTables ? undefined : `Declare it between services: and workflow:, like this:\ntables:\n${EXAMPLE}`,
  });
}

/** A table of a file may have hundreds of columns. */
function firstOf(names: readonly string[], between = ', ', form = (name: string): string => name): string {
  const isShort = names.length <= 24;
  const shown = (isShort ? names : names.slice(0, 20)).map(form).join(between);
  return isShort ? shown : `${shown} and ${names.length - 20} others`;
}

export const unknownResult = (
  span: Span,
  table: string,
  name: string,
  suggestion: string | undefined,
  results: readonly string[],
): Diagnostic =>
  error('WF254', span, `The table "${table}" has no result "${name}".`, {
    suggestion,
    hint: `Its results are: ${firstOf(results)}`,
  });

export const resultTwice = (span: Span, name: string): Diagnostic =>
  error('WF255', span, `This line already looks up "${name}".`, { hint: 'Name each result once.' });

/** @param names of all conditions */
export const conditionsLeftOut = (span: Span, table: string, missing: readonly string[], names: readonly string[]): Diagnostic =>
  error('WF255', span, `The table "${table}" also needs ${firstOf(missing, ' and ', (name) => `"${name}"`)}.`, {
    lacks: missing.length === 1 ? missing[0] : undefined,
    hint: `Give every condition a value:\n    in ${table} with ${firstOf(names, ' and ', (name) => `${name} …`)}`,
  });

export const unknownCondition = (
  span: Span,
  table: string,
  name: string,
  suggestion: string | undefined,
  names: readonly string[],
): Diagnostic =>
  error('WF255', span, `The table "${table}" has no condition "${name}".`, {
    suggestion,
    hint: `Its conditions are: ${firstOf(names)}`,
  });

/** `otherwise:` under a look-up. */
export const otherLookUpOption = (span: Span, written: string): Diagnostic =>
  error('WF255', span, `I don't know "${written}" here.`, { suggestion: 'if nothing matches:' });

export const notALookUpOption = (span: Span): Diagnostic =>
  error('WF255', span, 'Only "if nothing matches:" is allowed under "look up".', {
    hint: 'Indent the statements after the look-up like the look-up itself.',
  });

export const strayNothingMatches = (span: Span): Diagnostic =>
  error('WF255', span, '"if nothing matches:" belongs under "look up".', {
    hint: 'Indent it 4 spaces further than the "look up" above it.',
  });

/** @param meant the cell that is more than text */
export const onlyText = (span: Span, written: string, meant: string, place: FilePlace): Diagnostic =>
  warning('WF145', span, `${inFile(place)}"${written}" counts as text here.`, {
    hint: `If you mean something else, write: ${meant}\nIf you mean the text, put it in quotes: "${written}"`,
  });

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

/** @param values with which the lines look it up @param place of a cell in a file */
export const impossibleCell = (
  { span, suggestion }: Misspelt,
  name: string,
  value: string | number,
  values: readonly (string | number)[],
  place: FilePlace | undefined,
): Diagnostic => {
  const known = values
    .slice(0, 20)
    .map((one) => JSON.stringify(one))
    .join(', ');
  return warning(
    'WF144',
    span,
    `${inFile(place)}"${name}" is never ${JSON.stringify(value)} here: it is always one of ${known}.`,
    {
      suggestion,
      hint: suggestion === undefined ? 'Correct the cell, or delete the row.' : undefined,
    },
  );
};
