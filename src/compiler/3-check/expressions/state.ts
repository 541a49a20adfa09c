// `is empty`, `exists` and their opposites: a warning if the kind of the value settles the answer.
import type { StateTest } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { operandWords } from '../kinds/kind-words.js';

export function checkState(checker: Checker, { state, value, span }: StateTest): void {
  const kind = checker.expression(value);
  if (kind.is !== 'number' && kind.is !== 'boolean') return;
  if (kind.orEmpty === true) return;
  const isTrue = state === 'exists' || state === 'is not empty';
  checker.report(catalogue.settledState(span, operandWords(checker.text, value, kind), isTrue));
}
