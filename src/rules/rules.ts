// Describes what a workflow decides, for reviewers who don't read the file: its inputs, its decision tables, and how and when its runs end,
// as data and as text.
import type { InputField } from '../../runtime/inputs/input-types.js';
import { kindWords } from '../../runtime/inputs/input-words.js';
import type { Value } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { DecisionTable } from '../compiler/2-parse/declaration-tree.js';
import type { Ask, Block, Call, Statement, WaitFor } from '../compiler/2-parse/tree.js';
import { blocksOf } from '../compiler/2-parse/walk.js';
import { cellWords } from '../compiler/3-check/tables/cells.js';
import type { Checked } from '../compiler/compile.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';

interface InputRule {
  /** Path of the field: `customer.name`; the items of a list are `lines.*`. */
  readonly field: string;
  /** `a number from 0 to 10`. */
  readonly mustBe: string;
  readonly optional?: true;
  /** Its value if it is missing or empty. */
  readonly otherwise?: Value;
}

interface TableRule {
  readonly name: string;
  readonly line: number;
  /** The file that contains it, as named in the workflow. */
  readonly file?: string;
  /** `weight is at most` for a condition, `cost` for a result. */
  readonly headings: readonly string[];
  /** Cells as written in a workflow. `line`: of the workflow, or the row of the file. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

export interface Rules {
  readonly file: string;
  readonly name: string;
  readonly version: number;
  /** `null`: the request may have any fields. */
  readonly inputs: readonly InputRule[] | null;
  readonly tables: readonly TableRule[];
  /** In the order of the file. */
  readonly endings: readonly Ending[];
}

/** Of a workflow with errors, what can be read. @param file the path to show */
export function rulesOf({ text, workflow, facts }: Checked, file: string): Rules {
  const { config } = workflow;
  return {
    file,
    name: config?.name?.parts.join('') ?? file.replace(/^.*[\\/]/, '').replace(/\.wf$/, ''),
    version: config?.version?.value ?? 1,
    inputs: facts.inputs === undefined ? null : facts.inputs.flatMap((field) => inputRules(field, '')),
    tables: workflow.tables.flatMap((table) => (table.kind === 'table' ? [tableRule(table)] : [])),
    endings: endingsOf(workflow.body, text),
  };
}

function inputRules({ name, kind, optional, otherwise }: InputField, owner: string): InputRule[] {
  const field = `${owner}${name}`;
  const inner = kind.is === 'list' ? kind.of : kind;
  const below = inner.is === 'record' ? inner.fields : [];
  return [
    {
      field,
      mustBe: kind.is === 'anything' ? 'anything' : kindWords(kind, false),
      ...(optional === true ? { optional } : {}),
      ...(otherwise === undefined ? {} : { otherwise }),
    },
    ...below.flatMap((one) => inputRules(one, kind.is === 'list' ? `${field}.*.` : `${field}.`)),
  ];
}

const tableRule = ({ name, headings, rows, file, line }: DecisionTable): TableRule => ({
  name: name.text,
  line,
  ...(file === undefined ? {} : { file }),
  headings: headings.map((heading) => (heading.test === undefined ? heading.name : `${heading.name} ${heading.test}`)),
  rows: rows.map((row) => ({
    line: row.line,
    cells: row.cells.map((cell) => (cell.is === 'unread' ? '' : cellWords(cell))),
  })),
});

interface EndingCondition {
  readonly line: number;
  readonly text: string;
}

interface Ending {
  readonly kind: 'rejected' | 'completed';
  readonly line: number;
  /** The message of a rejection as written, or the outputs: `total and status`. */
  readonly with: string;
  /** The conditions for a run to come here, outermost first. Earlier endings come before later ones. */
  readonly when: readonly EndingCondition[];
}

/** @param text of the file */
function endingsOf(body: Block, text: string): Ending[] {
  const source = ({ start, end }: Span): string => {
    const written = text.slice(start, end);
    return (written.endsWith(':') ? written.slice(0, -1) : written).trimEnd();
  };
  const found: Ending[] = [];
  const walk = (block: Block, when: readonly EndingCondition[]): void => {
    for (const statement of block) {
      const { line } = statement;
      if (statement.kind === 'reject') found.push({ kind: 'rejected', line, with: source(statement.message.span), when });
      else if (statement.kind === 'complete')
        found.push({ kind: 'completed', line, with: statement.pairs.map(({ key }) => key.text).join(' and '), when });
      else if (statement.kind === 'if') walkIf(statement, when);
      else {
        for (const inner of blocksOf(statement)) {
          const condition = conditionOf(statement, source, inner);
          walk(inner, condition === undefined ? when : [...when, condition]);
        }
      }
    }
  };
  const walkIf = ({ branches, otherwise }: Extract<Statement, { kind: 'if' }>, when: readonly EndingCondition[]): void => {
    const failed: EndingCondition[] = [];
    for (const { condition, body: inner, line } of branches) {
      const words = source(condition.span);
      walk(inner, [...when, ...failed, { line, text: words }]);
      failed.push({ line, text: `not (${words})` });
    }
    if (otherwise !== undefined) walk(otherwise.body, [...when, ...failed]);
  };
  walk(body, []);
  return found;
}

/** When a run enters this block of a statement; `undefined` if it always does. */
function conditionOf(statement: Statement, source: (span: Span) => string, block: Block): EndingCondition | undefined {
  const { line } = statement;
  const isSuccess = ({ onSuccess }: Call | Ask | WaitFor): boolean => onSuccess?.body === block;
  switch (statement.kind) {
    case 'for each':
    case 'for each field':
    case 'repeat':
      return { line, text: source(statement.span) };
    case 'look up':
      return { line, text: `no row of ${statement.table.text} matches` };
    case 'wait for':
      return { line, text: `${isSuccess(statement) ? 'a' : 'no'} message ${statement.message.text} comes in time` };
    case 'call':
      return {
        line,
        text: `${statement.phrase.join(' ')} using ${statement.service.text} ${isSuccess(statement) ? 'works' : 'fails'}`,
      };
    case 'ask':
      return { line, text: `asking ${statement.service.text} ${isSuccess(statement) ? 'works' : 'fails'}` };
    case 'step':
    case 'at the same time':
    case 'if':
    case 'set':
    case 'add':
    case 'log':
    case 'skip':
    case 'stop':
    case 'wait':
    case 'wait until':
    case 'complete':
    case 'reject':
    case 'broken':
      return undefined;
  }
}

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
