// The values of expressions, paths and texts in the state of a run.
import { operate, phrase } from './evaluate-operations.js';
import { envOfPrograms } from './print.js';
import type { RunState } from './run-state.js';
import type { Expr, Operation, Path } from './tree.js';
import { compare, eachField, equal, Fault, field, isList, isRecord, order, readyMade, show, truthy, type Val } from './values.js';

export class Expressions {
  readonly #state: RunState;

  constructor(state: RunState) {
    this.#state = state;
  }

  value(expr: Expr): Val {
    this.#state.world.work++;
    switch (expr.k) {
      case 'text':
        return this.text(expr.parts);
      case 'number':
        return Number(expr.written);
      case 'constant':
        return expr.value;
      case 'list':
        return expr.items.map((item) => this.value(item));
      case 'path':
        return this.read(expr.path);
      case 'group':
        return this.value(expr.inner);
      case 'ready':
        if (expr.name === 'sum of') return readyMade(expr.name, this.#ofEach(expr.of));
        return readyMade(expr.name, this.value(expr.of));
      case 'chain': {
        let value = this.value(expr.first);
        for (const operation of expr.rest) value = this.#state.small(this.#operate(value, operation));
        return value;
      }
      case 'phrase':
        return this.#state.small(this.#phrase(expr.words, expr.of));
      case 'record':
        return expr.pairs.length === 0 ? null : new Map(expr.pairs.map(([key, value]) => [key, this.value(value)]));
      case 'filter':
        return this.#each(expr.list).filter((item) => this.#state.within(expr.item, item, () => truthy(this.value(expr.where))));
      case 'map':
        return this.#each(expr.list).flatMap((item) =>
          this.#state.within(expr.item, item, () =>
            expr.where === undefined || truthy(this.value(expr.where)) ? [this.#state.small(this.value(expr.value))] : [],
          ),
        );
      case 'quantified': {
        const test = (item: Val): boolean => this.#state.within(expr.item, item, () => truthy(this.value(expr.where)));
        const list = this.#each(expr.list);
        return expr.word === 'some' ? list.some(test) : list.every(test);
      }
      case 'compare':
        return compare(expr.word, this.value(expr.left), this.value(expr.right));
      case 'between': {
        const value = this.value(expr.value);
        const [low, high] = [this.value(expr.low), this.value(expr.high)];
        const [fromLow, fromHigh] = [order(value, low), order(value, high)];
        return fromLow >= 0 && fromHigh <= 0;
      }
      case 'state': {
        const value = this.value(expr.value);
        if (expr.word === 'exists' || expr.word === 'does not exist') return (value !== null) === (expr.word === 'exists');
        return (
          (equal(value, null) ||
            value === '' ||
            (isList(value) && value.length === 0) ||
            (isRecord(value) && value.size === 0)) ===
          (expr.word === 'is empty')
        );
      }
      case 'logic':
        for (const part of expr.parts) if (truthy(this.value(part)) === (expr.word === 'or')) return expr.word === 'or';
        return expr.word === 'and';
      case 'not':
        return !truthy(this.value(expr.of));
    }
  }

  #each(list: Expr): readonly Val[] {
    const value = this.value(list);
    if (value !== null && !isList(value)) throw new Fault('each');
    return value ?? [];
  }

  /** `sum of rows.amount`: the operand, or the field that a path reads from each item of a list. */
  #ofEach(of: Expr): Val {
    if (of.k !== 'path' || of.path.root === 'env') return this.value(of);
    return eachField(this.read({ root: of.path.root, fields: [] }), of.path.fields);
  }

  read({ root, fields }: Path): Val {
    const isItem = this.#state.items.some((one) => one.name === root);
    let value: Val;
    let rest = fields;
    if (isItem) value = this.#state.variable(root);
    else if (root === 'request') value = this.#state.request;
    else if (root === 'now') value = this.#state.now.toISOString();
    else if (root === 'today') value = this.#state.dates.today(this.#state.now);
    else if (root === 'env') {
      value = Object.hasOwn(envOfPrograms, fields[0] ?? '') ? (envOfPrograms[fields[0] ?? ''] ?? null) : null;
      rest = fields.slice(1);
    } else if (root === 'failure' && this.#state.failures.length > 0) value = this.#state.failures.at(-1) ?? null;
    else value = this.#state.variable(root);
    for (const key of rest) value = key.startsWith('{') ? this.#named(value, key) : field(value, key);
    return value;
  }

  /** `prices.{country}`. */
  #named(owner: Val, braces: string): Val {
    const name = this.read(pathIn(braces));
    if (name === null) return null;
    if (typeof name !== 'string' && typeof name !== 'number') throw new Fault('the name of a field');
    return field(owner, show(name));
  }

  text(parts: readonly (string | Path)[]): string {
    return parts.map((part) => (typeof part === 'string' ? part : show(this.read(part)))).join('');
  }

  #operate(value: Val, [words, ...operands]: Operation): Val {
    return operate(
      value,
      words,
      operands.map((operand) => this.value(operand)),
      this.#state.dates,
    );
  }

  #phrase(words: string, of: readonly Expr[]): Val {
    const isOfEach = /^(highest|lowest|average|unique) of #$/.test(words);
    return phrase(
      words,
      of.map((operand) => (isOfEach ? this.#ofEach(operand) : this.value(operand))),
      this.#state.dates,
    );
  }
}

/** `{country}` → the path in the braces. */
function pathIn(braces: string): Path {
  const [root = '', ...fields] = braces.slice(1, -1).split('.');
  return { root, fields };
}
