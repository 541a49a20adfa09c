// Reports items of a list written in the line that certainly have no common order, so that sorting them would fail.
import type { Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { fieldKind, type Kind } from './kind.js';
import { kindName, operandWords } from './kind-words.js';

/**
 * Reports the first such item and returns true. Skips what may be empty.
 * @param path of the field that is compared; empty for the items themselves
 * @param word the keyword that compares them
 * @param skipsEmpty whether empty items don't count
 */
export function requireOrder(
  checker: Checker,
  list: Expression,
  path: readonly string[],
  word: string,
  skipsEmpty: boolean,
): boolean {
  if (list.kind === 'group') return requireOrder(checker, list.inner, path, word, skipsEmpty);
  if (list.kind !== 'list') return false;
  let first: Kind | undefined;
  for (const item of list.items) {
    const kind = path.reduce(fieldKind, checker.kindOf(item));
    if (kind.is === 'unknown' || ('orEmpty' in kind && kind.orEmpty === true) || (kind.is === 'empty' && skipsEmpty)) continue;
    const what =
      path.length === 0 ? operandWords(checker.text, item, kind) : `"${path.join('.')}" of this item is ${kindName(kind)}`;
    const needs =
      kind.is !== 'number' && kind.is !== 'text'
        ? 'numbers or texts'
        : first !== undefined && first.is !== kind.is
          ? `${kindName(first)}, as in the items before it`
          : undefined;
    if (needs !== undefined) {
      checker.report(catalogue.wrongKind(item.span, what, word, needs, undefined));
      return true;
    }
    first ??= kind;
  }
  return false;
}
