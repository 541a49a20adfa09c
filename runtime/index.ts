// Everything that emitted modules import, under the names that the compiler uses. The entry of the runtime bundle.

export { completed, defineWorkflow, rejected } from './define.js';
export { acceptRequest } from './inputs/accept-request.js';
export * from './operations.js';
export { addresseeOf, askPerson, choicesOf } from './people/ask-person.js';
export { receive } from './people/receive.js';
export { call } from './services/call.js';
export { dividedBy, minus, plus, rounded, times } from './values/arithmetic.js';
export { countOf, firstOf, lastOf, lowercase, numberOf, sumOf, textOf, trimmed, uppercase } from './values/builtins.js';
export {
  above,
  atLeast,
  atMost,
  below,
  between,
  contains,
  containsSteps,
  endsWith,
  oneOf,
  oneOfSteps,
  startsWith,
} from './values/comparison.js';
export { equalSteps } from './values/equal.js';
export { field, items, ownList, recordToLoop, setField } from './values/fields.js';
export { equal, exists, isEmpty, show, shown, showSteps, truthy } from './values/values.js';
export { attemptFailed, beginAttempt, endAttempt, postponed, workload } from './workload.js';
