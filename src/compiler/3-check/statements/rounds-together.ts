// Checks `for each …, 10 at a time:`. Concurrent rounds share nothing: what they set is local, and only lists that they add to leave the
// loop.
import { assignmentIn, type PlaceOfSetting } from '../../2-parse/assignment-in.js';
import type { TogetherLoop } from '../../2-parse/tree.js';
import { namesSetIn, outerReferencesIn } from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Span } from '../../diagnostics/diagnostic.js';
import type { Checker } from '../checker.js';
import type { Kind } from '../kinds/kind.js';
import { reserved } from '../reserved.js';

const MOST_AT_A_TIME = 100;

export function checkTogether(checker: Checker, loop: TogetherLoop, kind: Kind): void {
  const { scope } = checker;
  const { item, body, atATime } = loop;
  if (!Number.isInteger(atATime.value) || atATime.value < 1 || atATime.value > MOST_AT_A_TIME)
    checker.report(catalogue.roundsAtATime(atATime.span, MOST_AT_A_TIME));
  const { own, added } = namesSetIn(body);
  own.delete(item.text);
  added.delete(item.text);
  for (const name of own) {
    if (reserved.has(name) || scope.look(name) === undefined) continue;
    const place = assignmentIn(body, name);
    if (place !== undefined) {
      const { item: found, isSum } = contributed(checker, name, place);
      checker.report(catalogue.setOutsideRound(place.span, name, found, isSum));
    }
    // It has been reported and must not count as a name of the round as well.
    own.delete(name);
  }
  const reported = new Set<string>();
  for (const { root, span } of outerReferencesIn(body)) {
    if (!added.has(root) || reported.has(root) || (root === 'failure' && scope.inFailure)) continue;
    reported.add(root);
    checker.report(catalogue.readsGrowingList({ ...span, end: span.start + root.length }, root));
  }
  const { changes } = scope.branch(() => {
    for (const name of reported) scope.set(name);
    scope.withLocal(item.text, kind, () => checker.block(body));
  });
  const reaching = [...changes].filter(([name]) => added.has(name));
  scope.join([
    { changes: new Map(reaching), ended: false },
    { changes: new Map(), ended: false },
  ]);
  scope.leaveRounds([item.text, ...own]);
}

/** What a round adds to a variable: `price` of `set total to total plus price`, or else the whole value. */
function contributed(
  { text }: Checker,
  name: string,
  { value }: PlaceOfSetting,
): { readonly item: string; readonly isSum: boolean } {
  const written = ({ start, end }: Span): string => text.slice(start, end);
  if (value?.kind === 'arithmetic') {
    const { first, operations } = value;
    const [operation] = operations;
    const isSelf = first.kind === 'reference' && first.root === name && first.fields.length === 0;
    if (isSelf && operation?.operator === 'plus' && operations.length === 1)
      return { item: written(operation.operand.span), isSum: true };
  }
  return { item: value === undefined ? name : written(value.span), isSum: false };
}
