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
