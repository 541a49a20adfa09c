// Creates a function that turns the cells of a row into a record. It must be both fast (all records share a hidden class) and
// safe (a column may be called `__proto__`).
import type { Value, WfRecord } from '../../runtime/types.js';

/** Each record has one own field per name, in order. A missing cell is `null`; extra cells are ignored. */
export function recordFactory(names: readonly string[]): (cells: readonly Value[]) => WfRecord {
  // `fromEntries` and spreading define own fields. Assigning to an existing field never reaches a prototype.
  const template: WfRecord = Object.fromEntries(names.map((name) => [name, null]));
  return (cells) => {
    const record = { ...template };
    for (let index = 0; index < names.length; index++) {
      const name = names[index];
      if (name !== undefined) record[name] = cells[index] ?? null;
    }
    return record;
  };
}
