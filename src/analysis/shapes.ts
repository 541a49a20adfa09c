// Finds which fields of the request and of answers a workflow reads, and as which kind of value. Used to make examples.
import type { Value } from '../../runtime/types.js';
import type { Block, Difference, Expression, Reference, Statement } from '../compiler/2-parse/tree.js';
import { blocksOf, expressionsOf, operandsOf } from '../compiler/2-parse/walk.js';

type ShapeKind = 'number' | 'text' | 'date' | 'time' | 'boolean' | 'list' | 'numeric text';

/** `18 years`. */
export type Length = readonly [unit: string, count: number];

/** A value as the file uses it. */
export interface Shape {
  kind?: ShapeKind;
  /** A value that a line compares it with. */
  sample?: Value;
  /** All of them. */
  readonly samples: Set<Value>;
  /** Lengths of time to or from it that a line compares with a number. */
  readonly lengths: Length[];
  readonly fields: Map<string, Shape>;
}

const emptyShape = (): Shape => ({ fields: new Map(), samples: new Set(), lengths: [] });

/** The shapes of `request`, `env`, of answers by `get stock using Stock.result`, and of messages by `wait for payment.message`. */
export class Shapes {
  readonly roots = new Map<string, Shape>();
  /** The meaning of a name: a root and the fields from there. */
  readonly #aliases = new Map<string, readonly string[]>([
    ['request', ['request']],
    ['env', ['env']],
  ]);

  /** Texts of lists that the file sets, and of their items. */
  readonly #listed = new Map<string, readonly string[]>();

  /** Fixed numbers that a variable is set to. */
  readonly #numbers = new Map<string, readonly number[]>();
  /** Lengths of time that a variable is set to. */
  readonly #lengths = new Map<string, readonly Difference[]>();

  constructor(body: Block) {
    this.#names(body);
    this.#block(body);
  }

  root(name: string): Shape {
    const shape = this.roots.get(name) ?? emptyShape();
    this.roots.set(name, shape);
    return shape;
  }

  at(path: readonly string[]): Shape {
    const [root = '', ...fields] = path;
    let shape = this.root(root);
    for (const field of fields) {
      const key = /^\d+$/.test(field) ? '0' : field;
      const inner: Shape = shape.fields.get(key) ?? emptyShape();
      shape.fields.set(key, inner);
      shape = inner;
    }
    return shape;
  }

  #pathOf(expression: Expression): readonly string[] | undefined {
    switch (expression.kind) {
      case 'group':
        return this.#pathOf(expression.inner);
      case 'reference': {
        const base = this.#aliases.get(expression.root);
        if (base === undefined) return undefined;
        // A message, `request` and `env` are records: they have a field of this name.
        return [
          ...base,
          ...expression.fields.map((field, index) =>
            field === 'count' && !(index === 0 && isRecordRoot(base)) ? '#count' : field,
          ),
        ];
      }
      case 'iteration':
        return expression.form === 'filter' ? this.#pathOf(expression.list) : undefined;
      case 'arranged':
        return expression.how === 'sorted' ? this.#pathOf(expression.list) : undefined;
      case 'builtin':
        return expression.name === 'first of' || expression.name === 'last of'
          ? this.#itemOf(expression.operands[0])
          : this.#listOf(expression);
      default:
        return undefined;
    }
  }

  #listOf(expression: Extract<Expression, { kind: 'builtin' }>): readonly string[] | undefined {
    const [operand, second] = expression.operands;
    const list = expression.name === 'first items of' || expression.name === 'last items of' ? (second ?? operand) : undefined;
    return list === undefined ? undefined : this.#pathOf(list);
  }

  #itemOf(list: Expression | undefined): readonly string[] | undefined {
    const path = list === undefined ? undefined : this.#pathOf(list);
    return path === undefined ? undefined : [...path, '0'];
  }

  /** Finds the meaning of each name before looking at its uses. */
  #names(block: Block): void {
    for (const statement of block) {
      if (statement.kind === 'call' || statement.kind === 'ask') this.#saved(statement);
      if (statement.kind === 'wait for' && statement.save !== undefined)
        this.#aliases.set(statement.save.text, [`wait for ${statement.message.text}.message`]);
      if (statement.kind === 'set' && statement.fields.length === 0)
        this.#alias(statement.target.text, this.#pathOf(statement.value));
      if (statement.kind === 'set' && statement.value.kind === 'difference')
        this.#lengths.set(statement.target.text, [...(this.#lengths.get(statement.target.text) ?? []), statement.value]);
      if (statement.kind === 'set' && statement.value.kind === 'number')
        this.#numbers.set(statement.target.text, [...(this.#numbers.get(statement.target.text) ?? []), statement.value.value]);
      if (statement.kind === 'set') this.#list(statement.target.text, textsOf(statement.value));
      if (statement.kind === 'add') this.#list(statement.target.text, textsOf(statement.value));
      if (statement.kind === 'for each') this.#alias(statement.item.text, this.#itemOf(statement.list));
      for (const { expression } of expressionsOf(statement)) this.#items(expression);
      for (const inner of blocksOf(statement)) this.#names(inner);
    }
  }

  #saved(statement: Extract<Statement, { kind: 'call' | 'ask' }>): void {
    const what = callName(statement);
    for (const { what: part, name } of statement.saves) this.#aliases.set(name.text, [`${what}.${part}`]);
  }

  #alias(name: string, path: readonly string[] | undefined): void {
    if (path !== undefined && !this.#aliases.has(name)) this.#aliases.set(name, path);
  }

  /** The texts that a list of the file has, or an item of it. */
  #list(name: string, texts: readonly string[]): void {
    if (texts.length > 0) this.#listed.set(name, [...(this.#listed.get(name) ?? []), ...texts]);
  }

  #items(expression: Expression): void {
    if (expression.kind === 'iteration' && expression.list.kind === 'reference')
      this.#list(expression.item.text, this.#listed.get(expression.list.root) ?? []);
    if (expression.kind === 'iteration') this.#alias(expression.item.text, this.#itemOf(expression.list));
    for (const { expression: inner } of operandsOf(expression)) this.#items(inner);
  }

  #block(block: Block): void {
    for (const statement of block) {
      if (statement.kind === 'for each') this.#use(statement.list, 'list');
      if (statement.kind === 'wait until' && statement.moment !== undefined) this.#use(statement.moment, 'date');
      if (statement.kind === 'if') for (const { condition } of statement.branches) this.#condition(condition);
      for (const amount of amountsOf(statement)) this.#use(amount, 'number');
      for (const { expression } of expressionsOf(statement)) this.#visit(expression);
      const inside = (): void => {
        for (const inner of blocksOf(statement)) this.#block(inner);
      };
      if (statement.kind === 'for each') this.#within(statement.item.text, this.#itemOf(statement.list), inside);
      else inside();
    }
  }

  /** `years from birth to today`, also by the name of a variable. */
  #lengthsIn(expression: Expression): readonly Difference[] {
    if (expression.kind === 'difference') return [expression];
    return expression.kind === 'reference' && expression.fields.length === 0 ? (this.#lengths.get(expression.root) ?? []) : [];
  }

  /** A fixed number, or those that a variable is set to. */
  #numbersIn(expression: Expression): readonly number[] {
    if (expression.kind === 'number') return [expression.value];
    return expression.kind === 'reference' && expression.fields.length === 0 ? (this.#numbers.get(expression.root) ?? []) : [];
  }

  /** Two loops may have items of the same name. */
  #within(item: string, path: readonly string[] | undefined, look: () => void): void {
    const before = this.#aliases.get(item);
    if (path === undefined) this.#aliases.delete(item);
    else this.#aliases.set(item, path);
    look();
    if (before === undefined) this.#aliases.delete(item);
    else this.#aliases.set(item, before);
  }

  #condition(expression: Expression): void {
    if (expression.kind === 'reference') this.#use(expression, 'boolean');
    else if (expression.kind === 'logic') for (const operand of expression.operands) this.#condition(operand);
    else if (expression.kind === 'not') this.#condition(expression.operand);
    else if (expression.kind === 'group') this.#condition(expression.inner);
  }

  #use(expression: Expression, kind: ShapeKind | undefined, sample?: Value): void {
    const path = this.#pathOf(expression);
    if (path === undefined) return;
    const isCount = path.at(-1) === '#count';
    const shape = this.at(isCount ? path.slice(0, -1) : path);
    const used = isCount ? 'list' : kind;
    if (used === 'time' && shape.kind === 'date') shape.kind = used;
    else if (used !== undefined) shape.kind ??= used;
    if (isCount || sample === undefined) return;
    shape.sample ??= sample;
    shape.samples.add(sample);
  }

  #visit(expression: Expression): void {
    const inside = (): void => {
      this.#hint(expression);
      for (const { expression: inner } of operandsOf(expression)) {
        this.#use(inner, undefined);
        this.#visit(inner);
      }
    };
    if (expression.kind === 'iteration') this.#within(expression.item.text, this.#itemOf(expression.list), inside);
    else inside();
  }

  #hint(expression: Expression): void {
    switch (expression.kind) {
      case 'reference':
        this.#use(expression, undefined);
        return;
      case 'arithmetic':
        for (const one of [expression.first, ...expression.operations.map(({ operand }) => operand)]) this.#use(one, 'number');
        return;
      case 'shift':
        this.#use(expression.date, 'date');
        this.#use(expression.amount, 'number');
        return;
      case 'difference':
        for (const one of [expression.from, expression.to])
          this.#use(one, /hours|minutes|seconds/.test(expression.unit) ? 'time' : 'date');
        return;
      case 'comparison':
        this.#compared(expression);
        return;
      case 'between':
        this.#with(expression.value, [expression.low]);
        return;
      case 'logic':
      case 'not':
        this.#condition(expression);
        return;
      case 'iteration':
        this.#use(expression.list, 'list');
        if (expression.condition !== undefined) this.#condition(expression.condition);
        return;
      case 'arranged':
        this.#use(expression.list, 'list');
        return;
      case 'builtin':
        this.#builtin(expression);
        return;
      default:
    }
  }

  #compared({ comparator, left, right }: Extract<Expression, { kind: 'comparison' }>): void {
    for (const count of this.#numbersIn(right))
      for (const { unit, from, to } of this.#lengthsIn(left))
        for (const end of [from, to]) {
          const path = this.#pathOf(end);
          if (path !== undefined) this.at(path).lengths.push([unit, count]);
        }
    if (/before|after/.test(comparator)) {
      this.#use(left, 'date');
      this.#use(right, 'date');
    } else if (comparator === 'is one of' || comparator === 'is not one of') {
      if (right.kind === 'list') this.#with(left, right.items);
      else this.#use(right, 'list');
    } else if (/contain|starts|ends|like/.test(comparator)) {
      this.#use(left, 'text');
      const path = right.kind === 'reference' && comparator.includes('contain') ? this.#pathOf(left) : undefined;
      if (path !== undefined && right.kind === 'reference')
        for (const text of this.#listed.get(right.root) ?? []) this.at(path).samples.add(text);
    } else {
      this.#with(left, [right]);
      this.#with(right, [left]);
    }
    const isOrder = /above|below|least|most/.test(comparator);
    if (isOrder && left.kind === 'reference' && right.kind === 'reference')
      for (const one of [left, right]) this.#use(one, 'number');
  }

  #with(value: Expression, others: readonly Expression[]): void {
    for (const other of others) this.#beside(value, other);
  }

  #beside(value: Expression, other: Expression): void {
    if (other.kind === 'number') this.#use(value, 'number', other.value);
    if (other.kind === 'constant' && other.value !== null) this.#use(value, 'boolean', other.value);
    if (other.kind === 'text' && other.parts.length <= 1 && typeof (other.parts[0] ?? '') === 'string')
      this.#use(value, 'text', String(other.parts[0] ?? ''));
    if (other.kind === 'arithmetic' || other.kind === 'difference') this.#use(value, 'number');
  }

  #builtin({ name, operands }: Extract<Expression, { kind: 'builtin' }>): void {
    const [first] = operands;
    if (first === undefined) return;
    if (/^(sum|highest|lowest|average) of$/.test(name)) this.#totals(first);
    else if (/^(count|first|last|unique|reversed)/.test(name) || name === 'joined with') this.#use(first, 'list');
    else if (name === 'number of') this.#use(first, 'numeric text');
    else if (/^(absolute|remainder|percent)/.test(name)) for (const operand of operands) this.#use(operand, 'number');
    else if (/^(hour|minute) of/.test(name)) this.#use(first, 'time');
    else if (/^(weekday|day|week|month|year|date|start|end)/.test(name)) this.#use(first, 'date');
    else if (/case of|trimmed|split|replaced|padded|characters/.test(name)) this.#use(first, 'text');
  }

  #totals(list: Expression): void {
    if (list.kind === 'reference') this.#total(list);
    else if (list.kind === 'group') this.#totals(list.inner);
    else if (list.kind === 'iteration' && list.value !== undefined) {
      const { value } = list;
      this.#within(list.item.text, this.#itemOf(list.list), () => this.#use(value, 'number'));
    }
  }

  /** `sum of request.lines.price` reads that field of each item. */
  #total(reference: Reference): void {
    const path = this.#pathOf(reference);
    if (path === undefined) return;
    const isField = reference.fields.length > (reference.root === 'request' ? 1 : 0);
    const list = isField ? path.slice(0, -1) : path;
    this.at(list).kind ??= 'list';
    const item = this.at(isField ? [...list, '0', path.at(-1) ?? ''] : [...list, '0']);
    item.kind ??= 'number';
    if (isField) this.at(list).fields.delete(path.at(-1) ?? '');
  }
}

/** How many rounds, or how much time: `within request.days days`. */
function amountsOf(statement: Statement): Expression[] {
  if (statement.kind === 'repeat') return [statement.most];
  if (statement.kind === 'wait') return [statement.amount];
  if (statement.kind === 'wait for') return statement.atMost === undefined ? [] : [statement.atMost.amount];
  if (statement.kind !== 'call' && statement.kind !== 'ask') return [];
  const { within, remind, timeout, onFailure } = statement;
  return [within, remind, timeout, onFailure?.retry?.waiting].flatMap((span) => (span === undefined ? [] : [span.amount]));
}

/** Fixed texts: one, or those of a list. */
function textsOf(expression: Expression): string[] {
  if (expression.kind === 'list') return expression.items.flatMap(textsOf);
  const [text] = expression.kind === 'text' && expression.parts.length === 1 ? expression.parts : [];
  return typeof text === 'string' ? [text] : [];
}

const isRecordRoot = ([root = '', ...fields]: readonly string[]): boolean =>
  fields.length === 0 && (root === 'request' || root === 'env' || root.endsWith('.message'));

/** `get stock using Stock`, `ask Finance`. */
const callName = (statement: Extract<Statement, { kind: 'call' | 'ask' }>): string =>
  statement.kind === 'call' ? `${statement.phrase.join(' ')} using ${statement.service.text}` : `ask ${statement.service.text}`;

/** An ordinary value of this shape. @param today for dates */
export function exampleOf(shape: Shape, name: string, today: string): Value {
  if (shape.sample !== undefined) return shape.sample;
  const item = shape.fields.get('0');
  if (shape.kind === 'list' || item !== undefined) return [item === undefined ? name : exampleOf(item, name, today)];
  if (shape.fields.size > 0)
    return Object.fromEntries([...shape.fields].map(([field, inner]) => [field, exampleOf(inner, field, today)]));
  if (shape.kind === 'number') return 1;
  if (shape.kind === 'boolean') return false;
  if (shape.kind === 'date') return today;
  if (shape.kind === 'time') return `${today}T09:30:00Z`;
  return shape.kind === 'numeric text' ? '12' : name;
}
