// The problems of a request, for the person at the terminal: one line per field.
import type { InputProblem } from '../../runtime/inputs/input-types.js';
import type { WorkflowInfo } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { isRecord } from '../../runtime/values/record.js';
import type { Input } from './read-input.js';

/** As many as fit on a screen. */
const mostShown = 40;

/** Has no line break at the end. @param file the workflow, as its user named it */
export function problemText(
  file: string,
  { inputs = [] }: Pick<WorkflowInfo, 'inputs'>,
  problems: readonly InputProblem[],
  input: Input,
): string {
  const lines = problems.slice(0, mostShown).map(({ field, problem }) => `    ${oneLine(`${field} ${problem}`)}`);
  if (problems.length > mostShown) lines.push(`    and ${problems.length - mostShown} more`);
  const hint = rowsHint(
    input,
    inputs.some(({ name }) => name === 'rows'),
  );
  const missing = problems.some(({ problem }) => problem.endsWith('is missing'));
  const headings = missing ? headingsHint(input) : [];
  return [`The request does not fit the inputs of ${file}, so nothing ran:`, ...lines, ...headings, ...hint].join('\n');
}

/** A heading that is missing is most likely there in other words. */
function headingsHint({ untyped }: Input): string[] {
  const request = untyped?.();
  if (request === undefined) return [];
  const first = Array.isArray(request.rows) ? request.rows[0] : undefined;
  const names = Object.keys(isRecord(first) ? first : request).slice(0, mostShown);
  return names.length === 0 ? [] : [`\nThe headings of the file are: ${names.map(oneLine).join(', ')}`];
}

/** If a table has several rows, a workflow gets only the list. */
function rowsHint({ untyped }: Input, declaresRows: boolean): string[] {
  const rows = declaresRows ? undefined : untyped?.().rows;
  if (!Array.isArray(rows) || rows.length === 1) return [];
  return [
    `\nThe file has ${rows.length} rows. To take them all, declare "rows is a list of records:" under inputs, with the columns below it.`,
  ];
}
