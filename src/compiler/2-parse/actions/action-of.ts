// All semantic actions, one per grammar rule.

import type { Actions, RuleAction } from '../syntax-node.js';
import { callOptionActions } from './call-options.js';
import { inputActions } from './inputs.js';
import { sectionActions, serviceActions } from './sections.js';
import { loopActions, statementActions, waitActions } from './statements.js';
import { tableActions } from './tables.js';
import { conditionActions, expressionActions, operationActions, primaryActions } from './values.js';

/** Not put into one: that would take each start longer than a small file takes to look its rules up. The most used are first. */
const tables: readonly Actions[] = [
  primaryActions,
  statementActions,
  expressionActions,
  operationActions,
  conditionActions,
  loopActions,
  callOptionActions,
  sectionActions,
  serviceActions,
  waitActions,
  inputActions,
  tableActions,
];

const known = new Map<string, RuleAction | undefined>();

/** The action of a rule; most rules need none. */
export function actionOf(rule: string): RuleAction | undefined {
  let action = known.get(rule);
  if (action === undefined && !known.has(rule)) {
    action = tables.find((table) => Object.hasOwn(table, rule))?.[rule];
    known.set(rule, action);
  }
  return action;
}
