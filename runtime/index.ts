// Everything that emitted modules import, under the names that the compiler uses. The entry of the runtime bundle.

export { defineWorkflow } from './define.js';
export { acceptRequest } from './inputs/accept-request.js';
export * from './operations.js';
export { askPerson } from './people/ask-person.js';
export { choicesOf } from './people/choices.js';
export { receive } from './people/receive.js';
export { completed, rejected } from './run/completion.js';
export { call } from './services/call.js';
export { dividedBy, minus, plus, rounded, times } from './values/arithmetic.js';
export { countOf, firstOf, lastOf, lowercase, numberOf, sumOf, textOf, trimmed, uppercase } from './values/builtins.js';
export { above, atLeast, atMost, below, between, contains, endsWith, oneOf, startsWith } from './values/comparison.js';
export { field, items, ownList, recordToLoop, setField } from './values/fields.js';
export { equal, exists, isEmpty, show, truthy } from './values/values.js';
export { workload } from './workload.js';
