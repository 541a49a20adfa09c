// Everything that an emitted module imports, under the names that the compiler writes. Its own file, because it is the entry of the
// bundle that emitted modules are linked against.
export { dividedBy, minus, plus, rounded, times } from './arithmetic.js';
export { call } from './call.js';
export { above, atLeast, atMost, below, between, contains, endsWith, oneOf, startsWith } from './comparison.js';
export { defineWorkflow } from './define.js';
export { completed, rejected } from './ending.js';
export { field, items, ownList, setField } from './fields.js';
export { countOf, firstOf, lastOf, lowercase, numberOf, sumField, sumOf, textOf, trimmed, uppercase } from './ready-made.js';
export { runAsProgram } from './standalone.js';
export { equal, exists, isEmpty, show, truthy } from './values.js';
