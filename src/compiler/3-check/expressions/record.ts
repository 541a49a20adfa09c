// `record with …`: checks its pairs, and that no key occurs twice.
import type { RecordValue } from '../../2-parse/tree.js';
import { checkPairs } from '../check-pairs.js';
import type { Checker } from '../checker.js';

export const checkRecord = (checker: Checker, { pairs }: RecordValue): void => checkPairs(checker, pairs);
