// Everything that emitted modules import, under the names that the compiler uses. The entry of the runtime bundle.
export { dividedBy, minus, plus, rounded, times } from './arithmetic.js';
export { askPerson } from './ask-person.js';
export { countOf, firstOf, lastOf, lowercase, numberOf, sumOf, textOf, trimmed, uppercase } from './builtins.js';
export { call } from './call.js';
export { choicesOf } from './choices.js';
export { above, atLeast, atMost, below, between, contains, endsWith, oneOf, startsWith } from './comparison.js';
export { completed, rejected } from './completion.js';
export { defineWorkflow } from './define.js';
export { field, items, ownList, recordToLoop, setField } from './fields.js';
export { acceptRequest } from './inputs/accept-request.js';
export * from './operations.js';
export { receive } from './receive.js';
export { equal, exists, isEmpty, show, truthy } from './values.js';
export { workload } from './workload.js';
