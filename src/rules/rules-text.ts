// Prints what a workflow decides: inputs, tables with aligned columns, rejections and completions.
import { oneLine } from '../../runtime/values/one-line.js';
import type { Ending } from './endings.js';
import type { InputRule, Rules, TableRule } from './rules.js';

/** Rows to print per table. JSON has all of them. */
const MOST_ROWS = 100;

export function rulesText({ file, name, version, inputs, tables, endings }: Rules): string {
  const rejections = endings.filter(({ kind }) => kind === 'rejected');
  const completions = endings.filter(({ kind }) => kind === 'completed');
  return [
    `${name} v${version} (${file})`,
    ...section('Inputs', inputs === null ? ['not declared: the request may have any fields'] : inputs.map(inputLine)),
    ...tables.flatMap((table) => section(`Table ${table.name} (${table.file ?? `line ${table.line}`})`, tableLines(table))),
    ...section(
      'Rejects',
      rejections.flatMap((ending) => endingLines(ending, `with ${ending.with}`)),
    ),
    ...section(
      'Completes',
      completions.flatMap((ending) => endingLines(ending, ending.with === '' ? 'without outputs' : `with ${ending.with}`)),
    ),
  ]
    .map((line) => oneLine(line))
    .join('\n');
}

const section = (title: string, lines: readonly string[]): string[] => [
  '',
  title,
  ...(lines.length === 0 ? ['    never'] : lines.map((line) => `    ${line}`)),
];

function inputLine({ field, mustBe, optional, otherwise }: InputRule): string {
  if (optional === true) return `${field}: ${mustBe}, optional`;
  if (otherwise === undefined) return `${field}: ${mustBe}`;
  const value = typeof otherwise === 'boolean' ? (otherwise ? 'yes' : 'no') : JSON.stringify(otherwise);
  return `${field}: ${mustBe}, otherwise ${value}`;
}

function tableLines({ headings, rows, file }: TableRule): string[] {
  const shown = rows.slice(0, MOST_ROWS);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...shown.map(({ cells }) => (cells[column] ?? '').length)),
  );
  const drawn = (cells: readonly string[]): string => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ');
  const more = rows.length - shown.length;
  return [
    drawn(headings).trimEnd(),
    ...shown.map(({ cells, line }) => `${drawn(cells)}   ${file === undefined ? 'line' : 'row'} ${line}`),
    ...(more === 0 ? [] : [`… and ${more.toLocaleString('en')} more ${more === 1 ? 'row' : 'rows'}`]),
  ];
}

function endingLines({ line, when }: Ending, what: string): string[] {
  return [
    `line ${line}: ${what}`,
    ...when.map((condition, index) => `    ${index === 0 ? 'when' : 'and'} ${condition.text} (line ${condition.line})`),
  ];
}
