// Checks text in a declaration, which may only refer to environment variables.
import type { Text } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';

/** Returns true if nothing is wrong. */
export function checkTemplate(checker: Checker, { parts, isFaulty }: Text): boolean {
  let right = isFaulty !== true;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const [variable, ...more] = part.fields;
    if (part.root === 'env' && variable !== undefined && more.length === 0) {
      checker.facts.env.add(variable);
    } else {
      checker.report(catalogue.onlyEnvironment(part.span, [part.root, ...part.fields].join('.')));
      right = false;
    }
  }
  return right;
}
