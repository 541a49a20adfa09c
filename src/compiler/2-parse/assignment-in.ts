// Finds where a statement names the variable that it sets. Messages about the variable point there.
import type { Span } from '../diagnostics/diagnostic.js';
import { assignedBy } from './children.js';
import type { Block, Expression } from './tree.js';
import { statementsIn } from './walk.js';

export interface PlaceOfSetting {
  readonly span: Span;
  readonly line: number;
  /** The value it is set to, if the file contains one. */
  readonly value: Expression | undefined;
}

/** The first place in a block that sets `name`. */
export function assignmentIn(block: Block, name: string): PlaceOfSetting | undefined {
  for (const statement of statementsIn(block)) {
    const span = assignedBy(statement).find((assignment) => assignment.name === name)?.span;
    if (span === undefined) continue;
    return { span, line: statement.line, value: statement.kind === 'set' ? statement.value : undefined };
  }
  return undefined;
}
