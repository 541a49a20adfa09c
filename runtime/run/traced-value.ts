// How tracing shows a value that was assigned to a variable.

import type { Value } from '../types.js';
import { jsonSize } from '../values/json-size.js';
import { typeName } from '../values/type-name.js';

/** Characters to show, and to search for secrets. */
const most = 100_000;

export const tracedValue = (value: Value): Value =>
  jsonSize(value, most) <= most ? value : `(a ${typeName(value)} too long to show)`;
