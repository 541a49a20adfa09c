// All semantic actions, one per grammar rule.

import { callOptionActions } from './call-option-actions.js';
import { conditionActions } from './condition-actions.js';
import { expressionActions } from './expression-actions.js';
import { inputActions } from './input-actions.js';
import { loopActions } from './loop-actions.js';
import { operationActions } from './operation-actions.js';
import { primaryActions } from './primary-actions.js';
import { sectionActions } from './section-actions.js';
import { serviceActions } from './service-actions.js';
import { statementActions } from './statement-actions.js';
import type { Actions, RuleAction } from './syntax-node.js';
import { tableActions } from './table-actions.js';
import { waitActions } from './wait-actions.js';

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
