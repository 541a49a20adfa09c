// Checks `complete with …` and collects its keys: the outputs of the workflow.
import type { Complete } from '../../2-parse/tree.js';
import { checkPairs } from '../check-pairs.js';
import type { Checker } from '../checker.js';

export function checkComplete(checker: Checker, { pairs }: Complete): void {
  checkPairs(checker, pairs);
  for (const { key } of pairs) checker.facts.outputKeys.add(key.text);
}
