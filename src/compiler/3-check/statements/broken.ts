// Handles a line that could not be parsed and is already reported: whatever it and its block may have set counts as set.
import { ROUND } from '../../2-parse/children.js';
import type { Broken } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';
import { numberKind } from '../kinds/kind.js';
import { reserved } from '../reserved.js';

export function checkBroken(checker: Checker, { defines, nameless, names, body }: Broken): void {
  const { scope } = checker;
  for (const name of names) checker.usedServices.add(name);
  // It may have sent something, without saying how.
  if (names.some((name) => name === 'send' || name === 'email' || name === 'mail'))
    for (const [name, { kind }] of checker.services) if (kind === 'mail') checker.usedServices.add(name);
  // It may have looked up a table.
  for (const table of checker.tables.keys())
    if (table.split(' ').some((word) => names.includes(word))) checker.faultyTables.add(table);
  if (nameless) scope.isOpen = true;
  for (const name of defines) if (!reserved.has(name)) scope.set(name);
  // It may have been a loop that counts its rounds.
  const walk = (): void => scope.withLocal(ROUND, numberKind, () => checker.block(body));
  // Without the mistake, its block may always run, as that of a step does.
  scope.withFailure(() => scope.join([{ ...scope.branch(walk), ended: false }]));
}
