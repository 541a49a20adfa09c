// Decision tables of random programs, in the workflow or in a file, and how a value fits a cell, written only from docs/language.md.
import type { Dates } from './date-operations.js';
import { quoted } from './quoted.js';
import { compare, equal, isEmpty, order, type Val } from './values.js';

export type Cell =
  | { readonly k: 'any'; readonly written: 'any' | '-' }
  | { readonly k: 'value'; readonly value: Literal }
  | { readonly k: 'one of'; readonly values: readonly Literal[] }
  | { readonly k: 'above' | 'below' | 'at least' | 'at most'; readonly value: number }
  | { readonly k: 'between' | 'limits'; readonly low: Literal; readonly high: Literal }
  | { readonly k: 'empty' };

export type Literal = string | number | boolean;

export interface Table {
  readonly name: string;
  /** A column with a test is a condition, one without a result. */
  readonly columns: readonly { readonly name: string; readonly test: string | undefined }[];
  readonly rows: readonly (readonly Cell[])[];
  /** `undefined`: it is written in the workflow. */
  readonly file: TableFile | undefined;
}

export interface TableFile {
  /** Beside the workflow. */
  readonly name: string;
  /** Whether texts have quotes even if they need none. */
  readonly hasQuotes: boolean;
  readonly separator: ',' | ';';
}

/** The first row that matches. @throws Fault if a value can't be compared with a cell before that */
export function firstRow(
  { columns, rows, file }: Table,
  values: ReadonlyMap<string, Val>,
  dates: Dates,
): readonly Cell[] | undefined {
  return rows.find((cells) =>
    columns.every(({ name, test }, index) => {
      const cell = cells[index];
      return (
        test === undefined ||
        cell === undefined ||
        fits(values.get(name) ?? null, test, cell, { dates, isInFile: file !== undefined })
      );
    }),
  );
}

interface Comparing {
  readonly dates: Dates;
  readonly isInFile: boolean;
}

function fits(value: Val, test: string, cell: Cell, { dates, isInFile }: Comparing): boolean {
  // In a file, a number is also the text that it is written as.
  const same = (one: Literal): boolean => equal(value, one) || (isInFile && typeof one === 'number' && value === String(one));
  switch (cell.k) {
    case 'any':
      return true;
    case 'empty':
      return isEmpty(value);
    case 'one of':
      return cell.values.some(same);
    case 'between':
    case 'limits': {
      const [fromLow, fromHigh] = [order(value, cell.low), order(value, cell.high)];
      return fromLow >= 0 && fromHigh <= 0;
    }
    case 'value':
      if (test === 'is' || test === 'is not') return same(cell.value) === (test === 'is');
      return /before|after/.test(test) ? dates.compare(test, value, cell.value) : compare(test, value, cell.value);
    default:
      return compare(`is ${cell.k}`, value, cell.value);
  }
}

/** What a result becomes. */
export const cellValue = (cell: Cell | undefined): Val => (cell?.k === 'value' ? cell.value : null);

export function printTable({ name, columns, rows, file }: Table): string[] {
  if (file !== undefined) return [`    ${name} is a table at "./${file.name}"`];
  const line = (cells: readonly string[]): string => `        | ${cells.join(' | ')} |`;
  return [
    `    ${name}:`,
    line(columns.map(heading)),
    ...rows.map((cells) => line(cells.map((cell) => printCell(cell, printLiteral)))),
  ];
}

const printLiteral = (literal: Literal): string => (typeof literal === 'string' ? quoted(literal) : String(literal));

const heading = ({ name, test }: Table['columns'][number]): string => (test === undefined ? name : `${name} ${test}`);

/** The cells of a table's file, the headings first. A cell with nothing but a number or a boolean is one in a sheet. */
export function fileRows({ columns, rows, file }: Table): (string | number | boolean)[][] {
  const print = (literal: Literal): string =>
    typeof literal === 'string' && (file?.hasQuotes === true || !/^[\p{L}][^",]*$/u.test(literal) || isWord(literal))
      ? `"${literal}"`
      : String(literal);
  const content = (cell: Cell): string | number | boolean =>
    cell.k === 'value' && typeof cell.value !== 'string' ? cell.value : printCell(cell, print);
  return [columns.map(heading), ...rows.map((cells) => cells.map(content))];
}

/** Whether it means something in a cell. */
const isWord = (text: string): boolean => /^(true|false|any|empty|one|above|below|at|between)\b/.test(text);

function printCell(cell: Cell, printLiteral: (literal: Literal) => string): string {
  switch (cell.k) {
    case 'any':
      return cell.written;
    case 'empty':
      return 'empty';
    case 'value':
      return printLiteral(cell.value);
    case 'one of':
      return `one of ${cell.values.map(printLiteral).join(', ')}`;
    case 'between':
      return `between ${printLiteral(cell.low)} and ${printLiteral(cell.high)}`;
    case 'limits':
      return `${printLiteral(cell.low)} and ${printLiteral(cell.high)}`;
    default:
      return `${cell.k} ${printLiteral(cell.value)}`;
  }
}
