// All semantic actions: what each rule of the grammar means.
import { lineActions } from './read-lines.js';
import { valueActions } from './read-values.js';
import type { Actions } from './syntax-node.js';

export const actions: Actions = { ...lineActions, ...valueActions };
