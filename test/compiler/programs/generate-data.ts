// Generates the data of a program: the fields of its request, and the answers of its services.
import { dates } from './generate-operations.js';
import type { Tape } from './tape.js';
import type { Json, ScriptedAnswer } from './tree.js';
import { fields, fieldsOf, numbers, texts } from './vocabulary.js';

export function fieldValue(tape: Tape, field: string): Json {
  if (tape.chance(10)) return json(tape, 0);
  if (field === 'rows') return tape.some(4, () => row(tape));
  if (fieldsOf.date.includes(field)) return tape.one(dates);
  if (fieldsOf.number.includes(field)) return Number(tape.one(numbers));
  if (fieldsOf.text.includes(field)) return tape.one(texts);
  return fieldsOf.list.includes(field) ? jsonList(tape, 0) : json(tape, 0);
}

export function row(tape: Tape): Json {
  const made: { [key: string]: Json } = { amount: Number(tape.one(numbers)), a: tape.one(texts), day: tape.one(dates) };
  for (const [field, percent] of [
    ['amount', 5],
    ['b', 50],
  ] as const)
    if (tape.chance(percent)) putField(made, field, json(tape, 1));
  return made;
}

export function answer(tape: Tape): ScriptedAnswer {
  if (!tape.chance(45)) return { ok: true, value: json(tape, 0), status: tape.one([200, 201, 204]) };
  return {
    ok: false,
    status: tape.one([503, 404, undefined]),
    body: tape.one(['nope', 'x', '{"a":1}']),
    retryable: tape.chance(60),
  };
}

export function json(tape: Tape, depth: number): Json {
  switch (tape.below(depth > 2 ? 5 : 8)) {
    case 0:
      return Number(tape.one(numbers));
    case 1:
      return tape.one(texts);
    case 2:
      return tape.one([null, true, false]);
    case 3:
      return tape.one([0.1 + 0.2, 1 / 3, 0.07 * 100, 1e21, 123456789.123456, 1e-7, -0, 2 ** 53 + 2, 4.35 * 100]);
    case 4:
      return tape.one(texts);
    case 5:
    case 6:
      return jsonList(tape, depth);
    default: {
      const record: { [key: string]: Json } = {};
      for (let count = tape.below(4); count > 0; count--) {
        // JavaScript objects move numeric keys to the front, which says nothing about the language.
        const key = tape.one(fields);
        if (!/^\d/.test(key)) putField(record, key, json(tape, depth + 1));
      }
      return record;
    }
  }
}

export function jsonList(tape: Tape, depth: number): Json[] {
  const alike = tape.below(3);
  return Array.from({ length: tape.below(5) }, () => (alike === 0 ? Number(tape.one(numbers)) : json(tape, depth + 1)));
}

export function putField(record: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
