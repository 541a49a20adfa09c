// Requests that try the declared inputs of a workflow without cases: all fields, only required ones, the limits, and each choice.
import type { InputField } from '../../runtime/inputs/input-types.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { exampleRecord } from '../input/example-value.js';

export interface GeneratedCase {
  readonly name: string;
  readonly request: WfRecord;
}

/** Enough for each choice of a few fields; more would hide the line that fails. */
const mostCases = 20;

export function generatedCases(fields: readonly InputField[]): GeneratedCase[] {
  const typical = exampleRecord(fields, 'typical');
  const cases: GeneratedCase[] = [
    { name: 'every field', request: typical },
    { name: 'only the required fields', request: exampleRecord(fields, 'typical', true) },
    { name: 'the lowest values', request: exampleRecord(fields, 'lowest') },
    { name: 'the highest values', request: exampleRecord(fields, 'highest') },
  ];
  for (const { name, kind } of fields)
    for (const value of choicesOf(kind))
      cases.push({
        name: `${name} ${typeof value === 'boolean' ? (value ? 'yes' : 'no') : JSON.stringify(value)}`,
        request: { ...typical, [name]: value },
      });
  const seen = new Set<string>();
  return cases.filter(({ request }) => isNew(seen, JSON.stringify(request))).slice(0, mostCases);
}

function choicesOf(kind: InputField['kind']): readonly Value[] {
  if (kind.is === 'choice') return kind.values;
  return kind.is === 'yes or no' ? [true, false] : [];
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
