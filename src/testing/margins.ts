// Measures how far a run was from the other answer of each comparison of two numbers, and what it rounded. A change that moves such a
// margin tells which value lies exactly at the boundary, even where the file calculates what it compares.
import type { Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import { answerAt } from '../analysis/candidates.js';
import type { Comparison, Expression, If, Statement } from '../compiler/2-parse/tree.js';
import { expressionsOf, operandsOf, statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked, Emitted } from '../compiler/compile.js';
import { comparisonsIn, valueKnown } from '../explain/alternatives.js';
import { branchTaken } from '../explain/explain-run.js';

/** The left side minus the right one, by the place of the comparison: the first time that the run came by. */
export type Margins = ReadonlyMap<string, number>;

/** At the end of the key of two values of which neither is fixed. */
const OPEN = '*';

/** A change of another value may move this boundary. */
export const isOpen = (key: string): boolean => key.endsWith(OPEN);

/** At the beginning of the key of a number that is rounded: its margin is the number in units of the last place that is left. */
const ROUNDED = 'rounded ';

export const isRounded = (key: string): boolean => key.includes(ROUNDED);

type Values = ReadonlyMap<string, Value>;
type ReadNumber = (values: Values) => number | undefined;

interface Compared {
  readonly key: string;
  readonly left: ReadNumber;
  readonly right: ReadNumber;
}

/** Is told each place that a run reaches, with the values of its variables there. */
type OnReach = (index: number, values: Values) => void;

/** Of the conditions of one `if` up to the one that holds. */
interface Decided {
  readonly answers: readonly string[];
  readonly compared: readonly Compared[];
}

const UNDECIDED: Decided = { answers: [], compared: [] };

/** The comparisons at each place that a run can reach. */
export class MarginReader {
  /** Of all conditions of `if`s. */
  readonly lines: ReadonlySet<number>;
  readonly #reachable: Emitted['reachable'];
  readonly #statements: readonly Statement[];
  readonly #ifs: readonly If[];
  readonly #text: string;
  readonly #decided = new Map<number, Decided>();

  constructor({ text, workflow }: Pick<Checked, 'text' | 'workflow'>, reachable: Emitted['reachable']) {
    this.#text = text;
    this.#reachable = reachable;
    this.#statements = [...statementsIn(workflow.body)];
    this.#ifs = this.#statements.filter((statement) => statement.kind === 'if');
    this.lines = new Set(this.#ifs.flatMap(({ branches }) => branches.map(({ line }) => line)));
  }

  /** Follows one run. */
  watch(request: WfRecord, onReach?: OnReach): MarginWatch {
    return new MarginWatch(request, (index) => this.#at(index), onReach);
  }

  #at(index: number): Decided {
    const found = this.#decided.get(index) ?? this.#find(index);
    this.#decided.set(index, found);
    return found;
  }

  #find(index: number): Decided {
    const place = this.#reachable[index];
    if (place?.kind === 'statement' && place.file === undefined) return { answers: [], compared: this.#roundedIn(place.line) };
    const taken = place?.kind === 'branch' ? branchTaken(this.#ifs, place.line, place.text) : undefined;
    if (taken === undefined) return UNDECIDED;
    const asked = taken.statement.branches.slice(0, taken.index + 1);
    const answers = asked.map(({ line }, branch) => answerAt(line, branch === taken.index));
    const compared = asked.flatMap(({ condition, line }) =>
      comparisonsIn(condition)
        .filter((one) => one.kind === 'comparison')
        .map(({ left, right }: Comparison, position) => ({
          key: `${line}:${position}${isFixed(left) || isFixed(right) ? '' : OPEN}`,
          left: numberIn(this.#text, left),
          right: numberIn(this.#text, right),
        })),
    );
    return { answers, compared };
  }

  /** The values that the statement in a line rounds. */
  #roundedIn(line: number): Compared[] {
    const statements = this.#statements.filter((one) => one.line === line);
    const found = statements.flatMap((one) => expressionsOf(one).flatMap(({ expression }) => roundingsIn(expression)));
    return found.map(({ value, places }, position) => {
      const read = numberIn(this.#text, value);
      const left: ReadNumber = (values) => {
        const number = read(values);
        return number === undefined ? undefined : number * 10 ** places;
      };
      return { key: `${ROUNDED}${line}:${position}`, left, right: () => 0 };
    });
  }
}

interface Rounding {
  readonly value: Expression;
  readonly places: number;
}

function roundingsIn(expression: Expression): Rounding[] {
  const inside = operandsOf(expression).flatMap(({ expression: inner }) => roundingsIn(inner));
  if (expression.kind !== 'arithmetic') return inside;
  const { operations } = expression;
  const own = operations.flatMap(({ operator, operand }, index): Rounding[] =>
    operator.startsWith('rounded') && operand.kind === 'number'
      ? [{ value: { ...expression, operations: operations.slice(0, index) }, places: operand.value }]
      : [],
  );
  return [...own, ...inside];
}

/** A run in a long loop gives many. */
const MOST_ANSWERS = 1_000;

export class MarginWatch {
  readonly margins = new Map<string, number>();
  /** Of each `if`, in order. */
  readonly answers: string[] = [];
  readonly #values: Map<string, Value>;
  readonly #at: (index: number) => Decided;

  readonly #onReach: OnReach | undefined;

  constructor(request: WfRecord, at: (index: number) => Decided, onReach: OnReach | undefined) {
    this.#onReach = onReach;
    this.#values = new Map<string, Value>([['request', request]]);
    this.#at = at;
  }

  /** At the end of the run. */
  get values(): ReadonlyMap<string, Value> {
    return this.#values;
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  reach(index: number): void {
    this.#onReach?.(index, this.#values);
    const { answers, compared } = this.#at(index);
    if (this.answers.length < MOST_ANSWERS) this.answers.push(...answers);
    for (const { key, left, right } of compared) {
      if (this.margins.has(key)) continue;
      const [one, other] = [left(this.#values), right(this.#values)];
      if (one !== undefined && other !== undefined) this.margins.set(key, one - other);
    }
  }
}

/** Which side of each comparison a run was on. */
export const sidesOf = (margins: Margins): string => [...margins].map(([key, margin]) => `${key}${Math.sign(margin)}`).join(' ');

const isFixed = ({ kind }: Expression): boolean => kind === 'number';

function numberIn(text: string, expression: Expression): ReadNumber {
  if (expression.kind === 'number') return () => expression.value;
  if (expression.kind === 'group') return numberIn(text, expression.inner);
  if (expression.kind === 'text' || expression.kind === 'constant' || expression.kind === 'list') return () => undefined;
  const read: (values: Values) => Value | undefined =
    expression.kind === 'reference'
      ? (values) => fieldsOf(values.get(expression.root), expression.fields)
      : (values) => valueKnown(text, expression, values);
  return (values) => {
    const value = read(values);
    return typeof value === 'number' ? value : undefined;
  };
}

const fieldsOf = (owner: Value | undefined, fields: readonly string[]): Value | undefined =>
  fields.reduce<Value | undefined>((value, field) => {
    if (Array.isArray(value)) return field === 'count' ? value.length : value[Number(field)];
    return value !== undefined && isRecord(value) ? value[field] : undefined;
  }, owner);
