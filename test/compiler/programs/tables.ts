// Decision tables of random programs, and how a value fits a cell, written only from docs/language.md.
import type { Dates } from './date-operations.js';
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
}

/** The first row that matches. @throws Fault if a value can't be compared with a cell before that */
export function firstRow({ columns, rows }: Table, values: ReadonlyMap<string, Val>, dates: Dates): readonly Cell[] | undefined {
  return rows.find((cells) =>
    columns.every(({ name, test }, index) => {
      const cell = cells[index];
      return test === undefined || cell === undefined || fits(values.get(name) ?? null, test, cell, dates);
    }),
  );
}

function fits(value: Val, test: string, cell: Cell, dates: Dates): boolean {
  switch (cell.k) {
    case 'any':
      return true;
    case 'empty':
      return isEmpty(value);
    case 'one of':
      return cell.values.some((one) => equal(value, one));
    case 'between':
    case 'limits': {
      const [fromLow, fromHigh] = [order(value, cell.low), order(value, cell.high)];
      return fromLow >= 0 && fromHigh <= 0;
    }
    case 'value':
      return /before|after/.test(test) ? dates.compare(test, value, cell.value) : compare(test, value, cell.value);
    default:
      return compare(`is ${cell.k}`, value, cell.value);
  }
}

/** What a result becomes. */
export const cellValue = (cell: Cell | undefined): Val => (cell?.k === 'value' ? cell.value : null);

export function printTable({ name, columns, rows }: Table): string[] {
  const line = (cells: readonly string[]): string => `        | ${cells.join(' | ')} |`;
  return [
    `    ${name}:`,
    line(columns.map((column) => (column.test === undefined ? column.name : `${column.name} ${column.test}`))),
    ...rows.map((cells) => line(cells.map(printCell))),
  ];
}

const printLiteral = (literal: Literal): string =>
  typeof literal === 'string' ? `"${literal.replace(/["\\]/g, '\\$&').replace(/[{}]/g, '$&$&')}"` : String(literal);

function printCell(cell: Cell): string {
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
