// Marks a variable as set, and rejects the names that wf reserves.
import type { Name } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';
import { type Kind, unknownKind } from './kinds/kind.js';
import { reserved } from './reserved.js';

export function setVariable(checker: Checker, name: Name, kind: Kind = unknownKind): void {
  if (reserved.has(name.text)) checker.report(catalogue.cannotSet(name.span, name.text));
  else checker.scope.set(name.text, kind);
}
