// All semantic actions, one per grammar rule.

import { expressionActions } from './expression-actions.js';
import { sectionActions } from './section-actions.js';
import { statementActions } from './statement-actions.js';
import type { Actions } from './syntax-node.js';
import { waitActions } from './wait-actions.js';

export const actions: Actions = { ...sectionActions, ...statementActions, ...waitActions, ...expressionActions };
