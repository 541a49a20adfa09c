// Checks `add … to …`. It creates the list if the variable has none, so it sets the variable.
import type { Add } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { listKind, unknownKind } from '../kinds/kind.js';
import { kindName } from '../kinds/kind-words.js';
import { aList, isCertainlyWrong } from '../kinds/require-kind.js';
import { setVariable } from '../set-variable.js';

export function checkAdd(checker: Checker, { value, target }: Add): void {
  checker.expression(value);
  const kind = checker.scope.kindOfTarget(target.text) ?? unknownKind;
  if (isCertainlyWrong(kind, aList)) {
    const amount = checker.text.slice(value.span.start, value.span.end);
    const hint =
      kind.is === 'number'
        ? `To add to a number, write:\n    set ${target.text} to ${target.text} plus ${amount}`
        : kind.is === 'text'
          ? `To add to a text, write:\n    set ${target.text} to "{${target.text}}${value.kind === 'text' ? `\\n${amount.slice(1, -1)}` : ' …'}"`
          : undefined;
    checker.report(catalogue.wrongKind(target.span, `"${target.text}" is ${kindName(kind)}`, 'add', 'a list to add to', hint));
  }
  checker.grown.add(target.text);
  setVariable(checker, target, listKind);
}
