// Which heading of a table belongs to which declared field: the same name, or else the same letters and digits, whatever their case and the
// signs between them.
import type { WfRecord } from '../types.js';
import type { InputField } from './input-types.js';

/** `Due Date`, `due_date` and `due-date` are the same. */
const loosely = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

/** By field; without those that have a heading of their own name, and those for which there is none or more than one. */
const known = new WeakMap<readonly InputField[], { readonly keys: string; readonly found: ReadonlyMap<string, string> }>();

/** The headings that differ from the names of their fields. All rows of a table have the same ones. */
export function headingsFor(fields: readonly InputField[], given: WfRecord): ReadonlyMap<string, string> {
  const headings = Object.keys(given);
  const keys = headings.join('\n');
  const before = known.get(fields);
  if (before?.keys === keys) return before.found;
  const declared = new Set(fields.map(({ name }) => name));
  const free = headings.filter((heading) => !declared.has(heading));
  const found = new Map<string, string>();
  for (const { name } of fields) {
    if (Object.hasOwn(given, name)) continue;
    const alike = free.filter((heading) => loosely(heading) === loosely(name));
    const isShared = fields.some((other) => other.name !== name && loosely(other.name) === loosely(name));
    if (alike.length === 1 && alike[0] !== undefined && !isShared) found.set(name, alike[0]);
  }
  known.set(fields, { keys, found });
  return found;
}
