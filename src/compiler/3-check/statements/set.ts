// Checks `set … to …`. The value is read before the variable is set.
import type { SetVariable } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { recordKind, unknownKind } from '../kinds/kind.js';
import { kindName } from '../kinds/kind-words.js';
import { isCertainlyWrong, type Need } from '../kinds/require-kind.js';
import { setVariable } from '../set-variable.js';

const needsRecord: Need = { kinds: ['record'], words: 'a record', allowsEmpty: true };

export function checkSet(checker: Checker, { target, fields, value }: SetVariable): void {
  for (const key of fields) if (typeof key !== 'string') checker.expression(key);
  const kind = checker.expression(value);
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
  setVariable(checker, target, fields.length === 0 ? kind : recordKind);
}
