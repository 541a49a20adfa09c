// The values of expressions, paths and texts in the state of a run.

import type { Dates } from './date-operations.js';
import { envOfPrograms } from './print.js';
import type { RunState } from './run-state.js';
import { count, readLike, samples, textOperations, writtenLike } from './text-operations.js';
import type { Expr, Operation, Path } from './tree.js';
import {
  calculate,
  compare,
  eachField,
  equal,
  Fault,
  field,
  isList,
  isRecord,
  order,
  readyMade,
  show,
  truthy,
  type Val,
} from './values.js';

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

// Operations of expressions, on values that are already known: `a plus b`, `highest of list`, `start of month of date`.

/** An operation after its first operand. @param words with `#` for each further operand: `plus #` */
function operate(value: Val, words: string, [first = null, ...others]: readonly Val[], dates: Dates): Val {
  const shift = /^(plus|minus) # (.+)$/.exec(words);
  if (shift !== null) {
    const [, word, unit = ''] = shift;
    return dates.shift(value, typeof first === 'number' && word === 'minus' ? 0 - first : first, unit);
  }
  const arranged = /^(sorted by|sorted|grouped by) ?(.*?)( ?descending)?$/.exec(words);
  if (arranged !== null) {
    const [, word, path = '', descending] = arranged;
    const keys = path === '' ? [] : path.split('.');
    return word === 'grouped by' ? grouped(value, keys) : sorted(value, keys, descending !== undefined);
  }
  const operation = textOperations[`# ${words}`];
  return operation === undefined ? calculate(words.replace(' #', ''), value, first) : operation(value, first, ...others);
}

/** An operation that starts with its words. @param words with `#` for each operand: `highest of #` */
function phrase(words: string, operands: readonly Val[], dates: Dates): Val {
  const [first = null, second = null] = operands;
  const operation = textOperations[words] ?? listOperations[words];
  if (operation !== undefined) return operation(...operands);
  const [word = '', middle = '', ...others] = words.split(' ');
  if (middle === 'from' || word === 'working') return dates.difference(words.slice(0, words.indexOf(' from')), first, second);
  if (word === 'start' || word === 'end') return dates.edge(word, others[0] ?? '', first);
  if (words.startsWith('# is ')) return dates.compare(words.slice(2, -2), first, second);
  if (words === 'text of # written as #') {
    const isSample = typeof second === 'string' && Object.hasOwn(samples, second);
    return isSample ? writtenLike(first, second) : dates.written(first, second);
  }
  if (words === 'number of # written as #') return readLike(first, second);
  return words.endsWith('written as #') ? dates.read(word, first, second) : dates.part(word, first);
}

// Operations on lists and records, written only from docs/values.md.

/** The list; an empty one for `empty`. */
const listOf = (value: Val): readonly Val[] => {
  if (value === null) return [];
  if (!isList(value)) throw new Fault('needs a list');
  return value;
};

/** By their words, with a `#` for each operand. */
const listOperations: Readonly<Record<string, (...operands: readonly Val[]) => Val>> = {
  'first # of #': (most = null, list = null) => listOf(list).slice(0, count(most)),
  'last # of #': (most = null, list = null) => {
    const [items, length] = [listOf(list), count(most)];
    return items.filter((_, index) => index >= items.length - length);
  },
  'reversed #': (list = null) => [...listOf(list)].reverse(),
  'position of # in #': (sought = null, list = null) => {
    const index = listOf(list).findIndex((item) => equal(item, sought));
    return index === -1 ? null : index;
  },
  'fields of #': (value = null) => {
    if (value === null) return [];
    if (!isRecord(value)) throw new Fault('needs a record');
    return [...value.keys()];
  },
  'unique of #': (list = null) => {
    const items = listOf(list);
    return items.filter((item, index) => items.findIndex((other) => equal(other, item)) === index);
  },
  'highest of #': (list = null) => extreme(listOf(list), 1),
  'lowest of #': (list = null) => extreme(listOf(list), -1),
  'average of #': (list = null) => {
    const items = listOf(list).filter((item) => item !== null);
    const sum = readyMade('sum of', items);
    return items.length === 0 ? null : calculate('divided by', sum, items.length);
  },
};

function extreme(list: readonly Val[], sign: 1 | -1): Val {
  const items = list.filter((item) => item !== null);
  for (const item of items) order(item, items[0] ?? null);
  return items.reduce<Val>((best, item) => (best === null || order(item, best) * sign > 0 ? item : best), null);
}

/** Equal items keep their order, also if the others descend. */
function sorted(value: Val, keys: readonly string[], isDescending: boolean): Val[] {
  const items = listOf(value).map((item) => ({ item, key: keys.reduce(field, item) }));
  for (const { key } of items) order(key, items[0]?.key ?? null);
  const sign = isDescending ? -1 : 1;
  return items.sort((one, other) => sign * order(one.key, other.key)).map(({ item }) => item);
}

function grouped(value: Val, keys: readonly string[]): Val[] {
  const groups: { readonly key: Val; readonly items: Val[] }[] = [];
  for (const item of listOf(value)) {
    const key = keys.reduce(field, item);
    const group = groups.find((other) => equal(other.key, key));
    if (group === undefined) groups.push({ key, items: [item] });
    else group.items.push(item);
  }
  return groups.map(
    ({ key, items }) =>
      new Map<string, Val>([
        ['key', key],
        ['items', items],
      ]),
  );
}
