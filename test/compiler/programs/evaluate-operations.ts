// Operations of expressions, on values that are already known: `a plus b`, `highest of list`, `start of month of date`.
import type { Dates } from './date-operations.js';
import { grouped, listOperations, sorted } from './list-operations.js';
import { readLike, samples, textOperations, writtenLike } from './text-operations.js';
import { calculate, type Val } from './values.js';

/** An operation after its first operand. @param words with `#` for each further operand: `plus #` */
export function operate(value: Val, words: string, [first = null, ...others]: readonly Val[], dates: Dates): Val {
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
export function phrase(words: string, operands: readonly Val[], dates: Dates): Val {
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
