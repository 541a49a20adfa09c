// All semantic actions, one per grammar rule.

import { expressionActions } from './expression-actions.js';
import { inputActions } from './input-actions.js';
import { sectionActions } from './section-actions.js';
import { statementActions } from './statement-actions.js';
import type { Actions } from './syntax-node.js';
import { waitActions } from './wait-actions.js';

export const actions: Actions = { ...sectionActions, ...inputActions, ...statementActions, ...waitActions, ...expressionActions };

export const hasAction = (rule: string): boolean => Object.hasOwn(actions, rule);
