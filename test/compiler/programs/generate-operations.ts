// Generates operations on lists, records, text, numbers and dates, each with operands that usually fit.
import type { Tape } from './tape.js';
import type { Expr, Operation, Pairs } from './tree.js';

/** The usual type of a variable, so that most programs get far. Occasionally it holds anything. */
export type Kind = 'number' | 'text' | 'list' | 'rows' | 'date' | 'any';

/** What a program has at this place. */
export interface Operands {
  /** Usually a value of this type. */
  readonly typed: (kind: Kind) => Expr;
  readonly condition: () => Expr;
  readonly pairs: (most: number) => Pairs;
  /** Calls `make` where the item exists. */
  readonly within: <T>(item: Kind | 'row', make: (item: string) => T) => T;
}

export const dates = [
  '2026-03-01',
  '2026-01-31',
  '2024-02-29',
  '2026-12-24',
  '2026-03-28',
  '2025-12-31',
  '2026-03-01T09:30',
  '2026-03-29T02:30',
  '2026-10-25T02:30:00',
  '2026-03-29T00:30:00Z',
  '2026-10-25T00:59:59.250Z',
  '2026-02-28T23:30+02:00',
  '2026-02-30',
] as const;

const units = ['day', 'days', 'weeks', 'months', 'month', 'years', 'working days', 'hours', 'minutes', 'seconds'] as const;
const parts = ['weekday', 'day', 'week', 'month', 'year', 'hour', 'minute', 'date'] as const;
const periods = ['week', 'month', 'quarter', 'year'] as const;
const patterns = ['DD.MM.YYYY', 'D MMMM YYYY', 'M/D/YY', "dddd, MMM D 'at' HH:mm:ss", 'YYYYMMDD', 'H:mm'] as const;
const numberSamples = ['1,234.50', '1.234,50 €', '1234.5', '€1 234,567', "1'234", '12'] as const;
const written = ['31.12.2026', '1.3.2026', '29.02.2025', '24 December 2026', '3/1/68', '20260228', 'x'] as const;
const writtenNumbers = ['1,234.50', '-1.234,5 €', '€ -12', '12 345', "1'234'567", '- 7.25', '1,2', '€1 000,5'] as const;
const likes = ['*', 'a*', '?', '##', '@@@', 'A?a', '*.*', '####-##-##*', '', '(*'] as const;
const smallNumbers = ['0', '1', '2', '3', '5', '1', '2'] as const;

const text = (value: string): Expr => ({ k: 'text', parts: [value] });
const phrase = (words: string, ...of: Expr[]): Expr => ({ k: 'phrase', words, of });
const chain = (first: Expr, ...operation: Operation): Expr => ({ k: 'group', inner: { k: 'chain', first, rest: [operation] } });

export class OperationGenerator {
  readonly #tape: Tape;
  readonly #operands: Operands;

  constructor(tape: Tape, operands: Operands) {
    this.#tape = tape;
    this.#operands = operands;
  }

  /** An operation whose result usually has this type. */
  of(kind: Kind): Expr {
    switch (kind) {
      case 'number':
        return this.#number();
      case 'text':
        return this.#text();
      case 'date':
        return this.#date();
      case 'rows':
        return this.#rows();
      case 'list':
        return this.#list();
      default:
        return this.of(this.#tape.one(['number', 'text', 'date', 'rows', 'list']));
    }
  }

  /** A comparison that only texts or dates have, or a test of a list's items. */
  condition(): Expr {
    const { typed, within, condition } = this.#operands;
    const tape = this.#tape;
    const choice = tape.below(5);
    if (choice === 0) return phrase('# is like #', typed('text'), text(tape.one(likes)));
    if (choice > 2) {
      const list = typed('rows');
      const [item, where] = within('row', (name) => [name, condition()] as const);
      return { k: 'quantified', word: tape.one(['some', 'every']), item, list, where };
    }
    const word = tape.one(['is before', 'is after', 'is on or before', 'is on or after']);
    return phrase(`# ${word} #`, typed('date'), typed('date'));
  }

  record(): Expr {
    return { k: 'record', pairs: this.#operands.pairs(4) };
  }

  #small(): Expr {
    const tape = this.#tape;
    return tape.chance(90) ? { k: 'number', written: tape.one(smallNumbers) } : this.#operands.typed('number');
  }

  #number(): Expr {
    const { typed } = this.#operands;
    const tape = this.#tape;
    switch (tape.below(9)) {
      case 0:
        return phrase('remainder of # divided by #', typed('number'), typed('number'));
      case 1:
        return phrase('# percent of #', { k: 'number', written: tape.one(['19', '7.5', '0', '100', '-10']) }, typed('number'));
      case 2:
        return phrase('absolute value of #', typed('number'));
      case 3:
        return chain(typed('number'), tape.one(['rounded up to #', 'rounded down to #']), this.#small());
      case 4:
        return phrase(`${tape.one(units)} from # to #`, typed('date'), typed('date'));
      case 5:
        return phrase(`${tape.one(parts)} of #`, typed('date'));
      case 6:
        return phrase('number of # written as #', this.#numberText(), text(tape.one(numberSamples)));
      case 7:
        return phrase('position of # in #', typed('any'), typed('list'));
      default:
        return phrase(`${tape.one(['highest', 'lowest', 'average'])} of #`, this.#numbers());
    }
  }

  #numberText(): Expr {
    return this.#tape.chance(70) ? text(this.#tape.one(writtenNumbers)) : this.#operands.typed('text');
  }

  /** Usually a list of numbers. */
  #numbers(): Expr {
    const { typed } = this.#operands;
    const tape = this.#tape;
    if (tape.chance(30)) return { k: 'path', path: { root: 'request', fields: ['rows', 'amount'] } };
    if (tape.chance(30)) return this.#map('number');
    return { k: 'list', items: tape.some(4, () => typed('number')) };
  }

  #map(kind: Kind): Expr {
    const { typed, within, condition } = this.#operands;
    const list = typed('rows');
    return within('row', (item) => {
      const where = this.#tape.chance(40) ? condition() : undefined;
      return { k: 'map', item, list, where, value: typed(kind) };
    });
  }

  #text(): Expr {
    const { typed } = this.#operands;
    const tape = this.#tape;
    switch (tape.below(8)) {
      case 0:
        return phrase(`${tape.one(['first', 'last'])} # characters of #`, this.#small(), typed('text'));
      case 1:
        return phrase(
          'characters # to # of #',
          { k: 'number', written: tape.one(['1', '2', '4']) },
          this.#small(),
          typed('text'),
        );
      case 2:
        return chain(typed('list'), 'joined with #', text(tape.one([', ', '', '-'])));
      case 3:
        return chain(typed('text'), 'with # replaced by #', text(tape.one(['a', ' ', 'b', '.'])), typed('text'));
      case 4:
        return chain(
          typed(tape.one(['number', 'text'])),
          'padded to # with #',
          this.#small(),
          text(tape.one(['0', 'ab', '😀', ''])),
        );
      case 5:
        return phrase('text of # written as #', typed('number'), text(tape.one(numberSamples)));
      case 6:
        return phrase('text of # written as #', typed('date'), text(tape.one(patterns)));
      default:
        return phrase('weekday of #', typed('date'));
    }
  }

  #date(): Expr {
    const { typed } = this.#operands;
    const tape = this.#tape;
    switch (tape.below(6)) {
      case 0:
        return phrase(`${tape.one(['start', 'end'])} of ${tape.one(periods)} of #`, typed('date'));
      case 1:
        return phrase('date of #', typed('date'));
      case 2: {
        const word = tape.one(['date', 'date', 'time']);
        return phrase(`${word} of # written as #`, text(tape.one(written)), text(tape.one(patterns)));
      }
      default:
        return chain(typed('date'), `${tape.one(['plus', 'minus'])} # ${tape.one(units)}`, this.#small());
    }
  }

  #rows(): Expr {
    const { typed, within, condition } = this.#operands;
    const tape = this.#tape;
    const list = typed('rows');
    switch (tape.below(6)) {
      case 0:
        return within('row', (item) => ({ k: 'filter', item, list, where: condition() }));
      case 1:
        return chain(list, `sorted by ${tape.one(['amount', 'a', 'day', 'b.count'])}${tape.chance(40) ? ' descending' : ''}`);
      case 2:
        return chain(list, `grouped by ${tape.one(['amount', 'a', 'b'])}`);
      case 3:
        return phrase(`${tape.one(['first', 'last'])} # of #`, this.#small(), list);
      case 4:
        return phrase(tape.one(['reversed #', 'unique of #']), list);
      default:
        return { k: 'list', items: tape.some(3, () => this.record()) };
    }
  }

  #list(): Expr {
    const { typed } = this.#operands;
    const tape = this.#tape;
    switch (tape.below(8)) {
      case 0:
        return chain(this.#numbers(), `sorted${tape.chance(40) ? ' descending' : ''}`);
      case 1:
        return chain({ k: 'list', items: tape.some(4, () => typed('text')) }, `sorted${tape.chance(40) ? ' descending' : ''}`);
      case 2:
        return chain(typed('text'), 'split by #', text(tape.one([' ', '', 'a', ', '])));
      case 3:
        return phrase('fields of #', tape.chance(70) ? this.record() : typed('any'));
      case 4:
        return this.#map(tape.one(['number', 'text', 'any']));
      case 5:
        return phrase(`${tape.one(['first', 'last'])} # of #`, this.#small(), typed('list'));
      case 6:
        return phrase('unique of #', { k: 'path', path: { root: 'request', fields: ['rows', tape.one(['a', 'amount'])] } });
      default:
        return phrase(tape.one(['reversed #', 'unique of #']), typed('list'));
    }
  }
}
