// `sorted by` and `grouped by`: a list whose items have the field. Before it, `first 3 of` could take the first of the sorted list or sort the
// first.

import type { Arranged } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { BuiltinName } from '../../vocabulary/builtin-names.js';
import type { Checker } from '../checker.js';
import { itemKind, type Kind } from '../kinds/kind.js';
import { aList, requireKind, requireOrder } from '../kinds/require-kind.js';

/** Results depend on the order of the list. */
const ordered: ReadonlySet<BuiltinName> = new Set([
  'first items of',
  'last items of',
  'first of',
  'last of',
  'reversed',
] as const);

export function checkArranged(checker: Checker, arranged: Arranged): void {
  const { how, list, path, span } = arranged;
  const { text } = checker;
  const operand = list.kind === 'builtin' && ordered.has(list.name) ? list.operands.at(-1) : undefined;
  const kind = checker.expression(list);
  if (operand !== undefined) {
    const rest = text.slice(list.span.end, span.end);
    checker.report(
      catalogue.twoReadings(
        span,
        `${text.slice(list.span.start, operand.span.start)}(${text.slice(operand.span.start, list.span.end)}${rest})`,
        `(${text.slice(list.span.start, list.span.end)})${rest}`,
      ),
    );
    return;
  }
  const word = path.length > 0 ? `${how} by` : how;
  if (requireKind(checker, list, kind, word, aList)) return;
  if (how === 'sorted' && requireOrder(checker, list, path, word, false)) return;
  checkField(checker, arranged, kind);
}

/** The field to compare is not declared. */
function checkField(checker: Checker, { list, path, span }: Arranged, kind: Kind): void {
  const [field] = path;
  const record = itemKind(kind);
  if (
    field === undefined ||
    record.is !== 'record' ||
    record.isDeclared !== true ||
    record.fields === undefined ||
    record.fields.has(field)
  )
    return;
  const start = checker.text.lastIndexOf(field, span.end);
  const owner = checker.text.slice(list.span.start, list.span.end);
  const names = [...record.fields.keys()];
  checker.report(
    catalogue.undeclaredField({ start, end: start + field.length }, owner, field, checker.closest(field, names), names),
  );
}
