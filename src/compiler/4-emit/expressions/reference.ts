// Emits names and field access. A field that no built-in prototype has is read directly from an object; everything else goes through the
// runtime, which reads own fields only.
import { PROTOTYPE_KEYS } from '../../../../runtime/values/fields.js';
import type { FieldOf, Reference } from '../../2-parse/tree.js';
import { atomCode, type EmittedCode, jsText, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';

/** True if a field can be read as a property: not a position, not `count`, and not on any prototype. */
const isDirect = (key: string): boolean => !PROTOTYPE_KEYS.has(key) && key !== 'count' && !/^\d+$/.test(key);

/** The start of a reference, and the fields that are read from it. */
interface Start {
  readonly value: EmittedCode;
  /** Always a record, so it needs no test. */
  readonly isRequest: boolean;
  readonly keys: readonly string[];
}

export function emitReference(emitter: Emitter, reference: Reference): EmittedCode {
  const { value: start, isRequest, keys } = startOf(emitter, reference);
  let value = start;
  let location: string | undefined;
  // One location for the whole path: the runtime finds the part at fault.
  const slow = (code: string, key: string): string => {
    location ??= emitter.location(reference.span, reference.span);
    // Only the characters of a text have to be counted.
    return `${emitter.use('field', key === 'count')}(${code}, ${jsText(key)}, ${location})`;
  };
  for (const [index, key] of keys.entries()) {
    if (!isDirect(key)) {
      value = operandCode(slow(value.code, key));
      continue;
    }
    emitter.directFields.add(key);
    if (index === 0 && isRequest) {
      value = operandCode(`request[${jsText(key)}]`);
      continue;
    }
    const { code, isAtomic } = value;
    const local = isAtomic ? code : emitter.temporary();
    const first = isAtomic ? code : `(${local} = ${code})`;
    value = operandCode(`(typeof ${first} === 'object' && ${local} !== null ? ${local}[${jsText(key)}] : ${slow(local, key)})`);
  }
  return value;
}

/** A reference that usually is a number: the tests for that, and its code once they hold. */
export interface Guarded {
  readonly tests: readonly string[];
  readonly code: string;
}

/**
 * A field that is read directly where a number is needed. Each step has its own test, so the runtime's path never merges with it and the
 * engine keeps the number unboxed. `undefined` if the path needs the runtime.
 */
export function guardedNumber(emitter: Emitter, reference: Reference): Guarded | undefined {
  const { fields } = reference;
  if (fields.length === 0 || !fields.every(isDirect)) return undefined;
  const { value: start, isRequest } = startOf(emitter, reference);
  if (!start.isAtomic) return undefined;
  let { code } = start;
  const tests: string[] = [];
  for (const [index, key] of fields.entries()) {
    emitter.directFields.add(key);
    // No field of a text, number or boolean is a number.
    if (index === 0 && !isRequest) tests.push(`${code} != null`);
    const value = emitter.temporary();
    // The first test that reads the temporary sets it.
    const read = `(${value} = ${code}[${jsText(key)}])`;
    if (index === fields.length - 1) tests.push(`typeof ${read} === 'number'`);
    else tests.push(`${read} != null`);
    code = value;
  }
  return { tests, code };
}

/** The local of `main` in which a name starts; `undefined` for what the run provides. */
export function localOf(emitter: Emitter, root: string): string | undefined {
  if (root === 'failure' && emitter.failures > 0 && !emitter.locals.isItem(root)) return `failure$${emitter.failures}`;
  const item = emitter.itemOf(root);
  if (item !== undefined) return item;
  if (root === 'now' || root === 'today' || root === 'env' || root === 'received') return undefined;
  return root === 'request' ? root : emitter.identifier(root);
}

function startOf(emitter: Emitter, reference: Reference): Start {
  const { root, fields } = reference;
  const local = localOf(emitter, root);
  if (local !== undefined) {
    const isRequest = local === 'request';
    return { value: atomCode(local, isRequest ? 'unknown' : emitter.typeOf(reference)), isRequest, keys: fields };
  }
  if (root === 'env') {
    const [name = '', ...keys] = fields;
    return { value: operandCode(`run.env(${jsText(name)})`), isRequest: false, keys };
  }
  return { value: operandCode(root === 'received' ? 'run.arrival' : `run.${root}`), isRequest: false, keys: fields };
}

/** Emits `prices.{country}.net` as one runtime call per field named by a value, and for the fields after it. */
export function emitField(emitter: Emitter, { owner, keys, span }: FieldOf): EmittedCode {
  const location = emitter.location(span, span);
  return keys.reduce<EmittedCode>((value, key) => {
    if (typeof key === 'string') return operandCode(`${emitter.use('field')}(${value.code}, ${jsText(key)}, ${location})`);
    const name = emitter.expression(key).code;
    return operandCode(
      `${emitter.use('fieldNamed')}(${value.code}, ${name}, ${location}, ${emitter.location(key.span, key.span)})`,
    );
  }, emitter.expression(owner));
}

/** The name of a field to set: literal, or the content of its variable. */
export function emitFieldName(emitter: Emitter, key: string | Reference): string {
  if (typeof key === 'string') return jsText(key);
  return `${emitter.use('fieldName')}(${emitter.expression(key).code}, ${emitter.location(key.span, key.span)})`;
}
