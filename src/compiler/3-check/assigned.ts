// The variables that the statements of a block set, wherever in it: what another round of a loop may have set already.
import type { Block, Statement } from '../2-parse/tree.js';

export function assignedIn(block: Block, names: Set<string> = new Set()): Set<string> {
  for (const statement of block) collect(statement, names);
  return names;
}

function collect(statement: Statement, names: Set<string>): void {
  switch (statement.kind) {
    case 'set':
    case 'add':
      names.add(statement.target.text);
      break;
    case 'step':
      assignedIn(statement.body, names);
      break;
    case 'if':
      for (const branch of statement.branches) assignedIn(branch.body, names);
      if (statement.otherwise !== undefined) assignedIn(statement.otherwise.body, names);
      break;
    case 'for each': {
      // Setting the item inside its loop sets no variable of the run.
      const inner = assignedIn(statement.body);
      inner.delete(statement.item.text);
      for (const name of inner) names.add(name);
      break;
    }
    case 'call':
    case 'ask':
      for (const save of statement.saves) names.add(save.name.text);
      for (const name of statement.unread?.names ?? []) names.add(name);
      if (statement.onFailure?.body !== undefined) assignedIn(statement.onFailure.body, names);
      break;
    case 'broken':
      for (const name of statement.defines) names.add(name);
      assignedIn(statement.body, names);
      break;
    default:
  }
}
