// What a workflow decides, as data: its inputs, its decision tables, and how and when its runs end. For reviewers who don't read the file.
import type { InputField } from '../../runtime/inputs/input-types.js';
import { kindWords } from '../../runtime/inputs/input-words.js';
import type { Value } from '../../runtime/types.js';
import type { DecisionTable } from '../compiler/2-parse/declaration-tree.js';
import { cellWords } from '../compiler/3-check/tables/cells.js';
import type { Checked } from '../compiler/compile.js';
import { type Ending, endingsOf } from './endings.js';

export interface InputRule {
  /** Path of the field: `customer.name`; the items of a list are `lines.*`. */
  readonly field: string;
  /** `a number from 0 to 10`. */
  readonly mustBe: string;
  readonly optional?: true;
  /** Its value if it is missing or empty. */
  readonly otherwise?: Value;
}

export interface TableRule {
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
