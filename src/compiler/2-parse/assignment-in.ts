// Finds where a statement names the variable that it sets. Messages about the variable point there.
import type { Span } from '../diagnostics/diagnostic.js';
import type { Block, Expression, Statement } from './tree.js';
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
    const span = nameSpan(statement, name);
    if (span === undefined) continue;
    return { span, line: statement.line, value: statement.kind === 'set' ? statement.value : undefined };
  }
  return undefined;
}

function nameSpan(statement: Statement, name: string): Span | undefined {
  switch (statement.kind) {
    case 'set':
    case 'add':
      return statement.target.text === name ? statement.target.span : undefined;
    case 'call':
    case 'ask':
      return statement.saves.find((save) => save.name.text === name)?.name.span;
    case 'look up':
      return statement.results.find((result) => result.text === name)?.span;
    case 'wait for':
      return statement.save?.text === name ? statement.save.span : undefined;
    case 'step':
    case 'at the same time':
    case 'if':
    case 'for each':
    case 'for each field':
    case 'repeat':
    case 'log':
    case 'skip':
    case 'stop':
    case 'wait':
    case 'wait until':
    case 'complete':
    case 'reject':
    case 'broken':
      return undefined;
  }
}
