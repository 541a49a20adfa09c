// Generates expressions, by level of the grammar. They only read what the place where they stand can read.
import { dates, type Kind, OperationGenerator } from './generate-operations.js';
import { deeperFields } from './inputs.js';
import type { Place } from './place.js';
import type { Tape } from './tape.js';
import type { Expr, Operation, Pairs, Path } from './tree.js';
import { fields, fieldsOf, kindOf, kinds, names, numbers, ready, states, texts, words } from './vocabulary.js';

export class ValueGenerator {
  readonly #tape: Tape;
  readonly #place: Place;
  readonly operations: OperationGenerator;

  constructor(tape: Tape, place: Place) {
    this.#tape = tape;
    this.#place = place;
    this.operations = new OperationGenerator(tape, {
      typed: (kind) => this.typed(kind, 2),
      condition: () => this.comparison(2),
      pairs: (most) => this.pairs(most),
      within: (kind, make) => place.within(tape.one(names), kind, make),
    });
  }

  /** Usually a value of this type. */
  typed(kind: Kind, depth: number): Expr {
    const tape = this.#tape;
    if (kind === 'any' || tape.chance(2)) return this.operand(depth);
    const item = this.#place.items.at(-1);
    const field = { number: 'amount', text: 'a', date: 'day', list: 'items', rows: 'items' }[kind];
    if (item?.kind === 'row' && this.#place.isReadable(item.name) && tape.chance(50))
      return { k: 'path', path: { root: item.name, fields: [field] } };
    const variables = this.#place.readable.filter((name) => kindOf(name) === kind && !this.#place.isItem(name));
    if (variables.length > 0 && tape.chance(45))
      return { k: 'path', path: { root: variables[tape.below(variables.length)] ?? 'x', fields: [] } };
    if (tape.chance(25)) return { k: 'path', path: { root: 'request', fields: [tape.one(fieldsOf[kind])] } };
    if (this.#place.depth < 3 && tape.chance(30)) return this.operation(kind);
    if (depth < 3 && (kind === 'number' || kind === 'list') && tape.chance(25))
      return { k: 'group', inner: this.chain(kind, depth + 1) };
    switch (kind) {
      case 'number':
        if (tape.chance(75)) return { k: 'number', written: tape.one(numbers) };
        if (tape.chance(40))
          return { k: 'ready', name: 'sum of', of: { k: 'list', items: tape.some(4, () => this.typed('number', depth + 1)) } };
        return { k: 'ready', name: 'count of', of: this.typed('list', depth + 1) };
      case 'text':
        if (tape.chance(40)) return { k: 'text', parts: [tape.one(texts)] };
        if (tape.chance(40))
          return { k: 'ready', name: tape.one(['uppercase of', 'lowercase of', 'trimmed']), of: this.typed('text', depth + 1) };
        return {
          k: 'text',
          parts: Array.from({ length: 1 + tape.below(4) }, () => (tape.chance(50) ? this.path() : tape.one(texts))),
        };
      case 'date':
        return tape.chance(80)
          ? { k: 'text', parts: [tape.one(dates)] }
          : { k: 'path', path: { root: tape.one(['now', 'today']), fields: [] } };
      case 'rows':
        return { k: 'list', items: tape.some(3, () => this.operations.record()) };
      default:
        return { k: 'list', items: tape.some(4, () => (depth > 2 ? this.operand(depth) : this.value(depth + 1))) };
    }
  }

  operation(kind: Kind): Expr {
    this.#place.depth++;
    const made = this.operations.of(kind);
    this.#place.depth--;
    return made;
  }

  chain(kind: Kind, depth: number): Expr {
    const tape = this.#tape;
    const first = this.typed(kind, depth);
    const operators =
      kind === 'number' ? (['plus #', 'minus #', 'times #', 'divided by #', 'plus #'] as const) : (['plus #'] as const);
    const rest = Array.from(
      { length: 1 + tape.below(tape.chance(20) ? 7 : 2) },
      (): Operation =>
        kind === 'number' && tape.chance(20)
          ? ['rounded to # places', { k: 'number', written: tape.one(['0', '1', '2', '3']) }]
          : [tape.one(operators), this.typed(kind, depth)],
    );
    return { k: 'chain', first, rest };
  }

  listLike(): Expr {
    const tape = this.#tape;
    if (tape.chance(60)) return this.typed('list', 1);
    if (tape.chance(50)) return { k: 'path', path: { root: 'request', fields: ['items'] } };
    return { k: 'list', items: tape.some(4, () => this.operand(1)) };
  }

  pathParts(): (string | Path)[] {
    const tape = this.#tape;
    const parts: (string | Path)[] = ['/x'];
    for (let count = tape.below(3); count > 0; count--) parts.push(tape.one(['/', '/v1/', '?q=']), this.path());
    return parts;
  }

  pairs(most: number): Pairs {
    const seen = new Set<string>();
    return this.#tape
      .some(most, () => [this.#tape.one(names), this.#tape.chance(20) ? this.comparison(1) : this.sum(1)] as const)
      .filter(([key]) => !seen.has(key) && seen.add(key));
  }

  value(depth: number): Expr {
    const tape = this.#tape;
    if (!tape.chance(20)) return this.comparison(depth);
    const parts = [this.conjunction(depth), ...tape.some(2, () => this.conjunction(depth))];
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { k: 'logic', word: 'or', parts };
  }

  conjunction(depth: number): Expr {
    const parts = [this.negation(depth), ...this.#tape.some(2, () => this.negation(depth))];
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { k: 'logic', word: 'and', parts };
  }

  negation(depth: number): Expr {
    return this.#tape.chance(20) ? { k: 'not', of: this.negation(depth + 1) } : this.comparison(depth);
  }

  comparison(depth: number): Expr {
    const tape = this.#tape;
    const order = tape.one(['number', 'number', 'text'] as const);
    switch (tape.below(10)) {
      case 9:
        if (this.#place.depth > 1) return this.sum(depth);
        this.#place.depth++;
        try {
          return this.operations.condition();
        } finally {
          this.#place.depth--;
        }
      case 1:
      case 2:
        return { k: 'compare', word: tape.one(['is', 'is not']), left: this.sum(depth), right: this.sum(depth) };
      case 3:
        return { k: 'compare', word: tape.one(words.order), left: this.typed(order, depth), right: this.typed(order, depth) };
      case 4:
        return { k: 'compare', word: tape.one(words.text), left: this.typed('text', depth), right: this.typed('text', depth) };
      case 5:
        return { k: 'compare', word: tape.one(words.list), left: this.sum(depth), right: this.typed('list', depth) };
      case 6:
        if (tape.chance(50)) return { k: 'state', word: tape.one(states), value: this.sum(depth) };
        return {
          k: 'between',
          value: this.typed(order, depth),
          low: this.typed(order, depth),
          high: this.typed(order, depth),
        };
      case 7:
        return {
          k: 'compare',
          word: tape.one(['contains', 'does not contain']),
          left: this.typed('list', depth),
          right: this.operand(depth),
        };
      default:
        return this.sum(depth);
    }
  }

  sum(depth: number): Expr {
    const tape = this.#tape;
    return tape.chance(35)
      ? this.chain(tape.chance(5) ? 'any' : tape.one(['number', 'number', 'text', 'list']), depth)
      : this.operand(depth);
  }

  operand(depth: number): Expr {
    const tape = this.#tape;
    switch (tape.below(depth > 3 ? 9 : 17)) {
      case 15:
        return this.#place.depth > 1 ? this.typed('number', depth) : this.operation('any');
      case 16: {
        // The name must not be read where it can't be set: any readable one will do.
        const variables = this.#place.readable.filter((name) => ['number', 'text'].includes(kindOf(name)));
        const { root, fields: own } = this.path();
        const name = variables[tape.below(variables.length || 1)];
        return { k: 'path', path: { root, fields: [...own, name === undefined ? '{request.name-of}' : `{${name}}`] } };
      }
      case 0:
      case 1:
        return { k: 'number', written: tape.one(numbers) };
      case 2:
        return { k: 'text', parts: [tape.one(texts)] };
      case 3:
        return {
          k: 'text',
          parts: Array.from({ length: 1 + tape.below(4) }, () => (tape.chance(50) ? this.path() : tape.one(texts))),
        };
      case 4:
        return { k: 'constant', value: tape.one([true, false, null]) };
      case 5:
      case 6:
      case 7:
      case 8:
        return { k: 'path', path: this.path() };
      case 9:
        return { k: 'list', items: tape.some(4, () => this.value(depth + 1)) };
      case 10:
        return { k: 'group', inner: this.value(depth + 1) };
      case 11:
        return {
          k: 'ready',
          name: 'sum of',
          of: { k: 'path', path: tape.chance(20) ? this.path() : { root: 'request', fields: ['rows', 'amount'] } },
        };
      case 12:
        return this.typed(tape.one(['number', 'text', 'list']), depth + 1);
      case 13:
        return { k: 'ready', name: tape.one(['count of', 'first of', 'last of']), of: this.typed('list', depth + 1) };
      default:
        if (!tape.chance(10))
          return {
            k: 'ready',
            name: tape.one(['uppercase of', 'lowercase of', 'trimmed', 'count of', 'text of']),
            of: this.typed('text', depth + 1),
          };
        return { k: 'ready', name: tape.one(ready), of: this.operand(depth + 1) };
    }
  }

  path(): Path {
    const tape = this.#tape;
    if (this.#place.failures > 0 && tape.chance(25)) return { root: 'failure', fields: [tape.one(this.#place.failureFields)] };
    if (tape.chance(3)) return { root: tape.one(['now', 'today']), fields: [] };
    if (tape.chance(3)) return { root: 'env', fields: [tape.one(['REGION', 'constructor', 'NOT_SET'])] };
    const item = this.#place.items.at(-1 - tape.below(2));
    if (item !== undefined && this.#place.isReadable(item.name) && tape.chance(item.kind === 'row' ? 60 : 30))
      return {
        root: item.name,
        fields: item.kind === 'row' ? [tape.one(['amount', 'a', 'day', 'b', 'key', 'items'])] : this.fields(item.kind, 5),
      };
    const variables = this.#place.readable;
    if (variables.length > 0 && tape.chance(70)) {
      const root = variables[tape.below(variables.length)] ?? 'x';
      const outputs = this.#place.outputs.get(root);
      if (outputs === undefined) return { root, fields: this.fields(kindOf(root), 30) };
      const [first = '', ...others] = outputs;
      return { root, fields: outputs.length > 0 && tape.chance(80) ? [tape.one([first, ...others])] : [] };
    }
    return { root: 'request', fields: this.#requested() };
  }

  /** A field of the request, and sometimes one that it may have itself. */
  #requested(): string[] {
    const tape = this.#tape;
    const field = tape.one(fields);
    const { inputs } = this.#place;
    if (inputs !== undefined) {
      // Others can't be read.
      const { name, kind } = inputs[tape.below(inputs.length)] ?? { name: field, kind: { is: 'anything' } as const };
      const [first, ...others] = kind.is === 'anything' ? fields : deeperFields(kind);
      return [
        name,
        ...(first !== undefined && tape.chance(kind.is === 'record' ? 80 : 20) ? [tape.one([first, ...others])] : []),
      ];
    }
    const kind = kinds.find((one) => fieldsOf[one].includes(field)) ?? 'any';
    return [field, ...this.fields(kind, kind === 'any' ? 10 : 30)];
  }

  /** A field to read from a value of this type: usually one that it may have. */
  fields(kind: Kind, percent: number): string[] {
    const tape = this.#tape;
    if (!tape.chance(percent)) return [];
    if (kind === 'any' || tape.chance(5)) return [tape.one(fields)];
    return kind === 'number' ? [] : kind === 'text' || kind === 'date' ? ['count'] : [tape.one(['count', '0', '1', '2'])];
  }
}
