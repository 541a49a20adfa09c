// `sorted by` and `grouped by`: a list.
import type { Arranged } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';
import { aList, requireKind } from '../kinds/require-kind.js';

export function checkArranged(checker: Checker, { how, list, path }: Arranged): void {
  requireKind(checker, list, checker.expression(list), path.length > 0 ? `${how} by` : how, aList);
}
