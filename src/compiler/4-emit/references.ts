// Names and their fields → JavaScript. Fields that no built-in prototype has are read directly from what is an object; all others,
// and every other kind of value, go through the runtime, which reads own fields only.
import { PROTOTYPE_KEYS } from '../../../runtime/prototypes.js';
import type { Reference } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';
import { jsText } from './javascript-text.js';

/** True for a name that can be read as a property: it is no position, not `count`, and on no prototype. */
export const isDirect = (key: string): boolean => !PROTOTYPE_KEYS.has(key) && key !== 'count' && !/^\d+$/.test(key);

export function emitReference(emitter: Emitter, { root, fields, span }: Reference): string {
  let code = emitRoot(emitter, root, fields);
  const rest = root === 'env' && emitter.loopOf(root) === undefined ? fields.slice(1) : fields;
  let place: string | undefined;
  // One place for all fields of a path: the runtime finds out which part of it was at fault.
  const slow = (value: string, key: string): string => {
    place ??= emitter.place(span, span);
    return `${emitter.use('field')}(${value}, ${jsText(key)}, ${place})`;
  };
  for (const [index, key] of rest.entries()) {
    if (!isDirect(key)) {
      code = slow(code, key);
      continue;
    }
    emitter.directFields.add(key);
    if (index === 0 && code === 'request') {
      code = `request[${jsText(key)}]`;
    } else if (/^[\w$]+$/.test(code)) {
      code = `(typeof ${code} === 'object' && ${code} !== null ? ${code}[${jsText(key)}] : ${slow(code, key)})`;
    } else {
      const value = emitter.temporary();
      code = `(typeof (${value} = ${code}) === 'object' && ${value} !== null ? ${value}[${jsText(key)}] : ${slow(value, key)})`;
    }
  }
  return code;
}

/** A reference that is a number most of the time: what has to be true for that, and its code once it is. */
export interface Guarded {
  readonly tests: readonly string[];
  readonly code: string;
}

/**
 * A field that is read directly, for a place that wants a number: each step is tested by itself, so that the way through the runtime never
 * joins it and the engine keeps the number as it is. `undefined` where the path needs the runtime.
 */
export function guardedNumber(emitter: Emitter, { root, fields }: Reference): Guarded | undefined {
  const isGiven = emitter.loopOf(root) === undefined && ['env', 'now', 'today', 'failure'].includes(root);
  if (fields.length === 0 || isGiven || !fields.every(isDirect)) return undefined;
  let code = emitRoot(emitter, root, fields);
  const tests: string[] = [];
  for (const [index, key] of fields.entries()) {
    emitter.directFields.add(key);
    // A text, a number and a boolean have no field that is a number.
    if (index === 0 && code !== 'request') tests.push(`${code} != null`);
    const value = emitter.temporary();
    // The temporary is set by the test that first looks at it.
    const read = `(${value} = ${code}[${jsText(key)}])`;
    if (index === fields.length - 1) tests.push(`typeof ${read} === 'number'`);
    else tests.push(`${read} != null`);
    code = value;
  }
  return { tests, code };
}

function emitRoot(emitter: Emitter, root: string, fields: readonly string[]): string {
  const loop = emitter.loopOf(root);
  if (loop !== undefined) return loop.identifier;
  switch (root) {
    case 'request':
      return 'request';
    case 'now':
      return 'run.now';
    case 'today':
      return 'run.today';
    case 'env':
      return `run.env(${jsText(fields[0] ?? '')})`;
    case 'failure':
      return emitter.failures > 0 ? `failure$${emitter.failures}` : emitter.identifier(root);
    default:
      return emitter.identifier(root);
  }
}
