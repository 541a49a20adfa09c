// Checks the pairs of a call or of `complete with`: their values, and that no key occurs twice.
import type { Pair } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';

export function checkPairs(checker: Checker, pairs: readonly Pair[]): void {
  const keys = new Set<string>();
  for (const { key, value } of pairs) {
    if (keys.has(key.text)) checker.report(catalogue.keyTwice(key.span, key.text));
    keys.add(key.text);
    checker.expression(value);
  }
}
