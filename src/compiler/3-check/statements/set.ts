// Checks `set` and `add`.
import type { Add, SetVariable } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { pathAsWritten } from '../../vocabulary/field-names.js';
import { type Checker, setVariable } from '../checker.js';
import { checkJoined } from '../expressions/logic.js';
import { kindName, listKind, recordKind, unknownKind } from '../kinds/kind.js';
import { aList, isCertainlyWrong, type Need } from '../kinds/require-kind.js';
import { bothFacts } from '../passed-conditions.js';

const needsRecord: Need = { kinds: ['record'], words: 'a record', allowsEmpty: true };

export function checkSet(checker: Checker, { target, fields, value }: SetVariable): void {
  for (const key of fields) if (typeof key !== 'string') checker.expression(key);
  const errors = checker.errors;
  const written = checker.expression(value);
  const areNumbers = checkJoined(checker, value);
  // Mistakes in its value are reported here, and must not cause more messages below.
  const kind = areNumbers || checker.errors > errors ? unknownKind : written;
  // Setting a field turns anything else into a record. Its other fields are not tracked.
  const before = checker.scope.kindOfTarget(target.text) ?? unknownKind;
  const [field] = fields;
  if (field !== undefined && isCertainlyWrong(before, needsRecord))
    checker.report(
      catalogue.wrongKind(
        target.span,
        `"${target.text}" is ${kindName(before)}`,
        `set ${target.text}.${typeof field === 'string' ? field : '{…}'}`,
        'a record',
        undefined,
      ),
    );
  const fact = value.kind === 'reference' ? checker.scope.facts.get(pathAsWritten(value)) : undefined;
  setVariable(checker, target, fields.length === 0 ? kind : recordKind);
  // One value under another name.
  if (fact !== undefined && fields.length === 0)
    checker.scope.facts = bothFacts(checker.scope.facts, new Map([[target.text, fact]]));
}

/** Checks `add … to …`. It creates the list if the variable has none, so it sets the variable. */
export function checkAdd(checker: Checker, { value, target }: Add): void {
  checker.expression(value);
  const kind = checker.scope.kindOfTarget(target.text) ?? unknownKind;
  if (isCertainlyWrong(kind, aList)) {
    const amount = checker.text.slice(value.span.start, value.span.end);
    const hint =
      kind.is === 'number'
        ? `To add to a number, write:\n    set ${target.text} to ${target.text} plus ${/\s/.test(amount) && !/^(?:\([^()]*\)|"[^"]*"|\[[^\]]*\])$/.test(amount) ? `(${amount})` : amount}`
        : kind.is === 'text'
          ? `To add to a text, write:\n    set ${target.text} to "{${target.text}}${value.kind === 'text' ? `\\n${amount.slice(1, -1)}` : ' …'}"`
          : undefined;
    checker.report(catalogue.wrongKind(target.span, `"${target.text}" is ${kindName(kind)}`, 'add', 'a list to add to', hint));
  }
  checker.grown.add(target.text);
  setVariable(checker, target, isCertainlyWrong(kind, aList) ? unknownKind : listKind);
}
