// Column names go in, a function that makes one record of a row's cells comes out. Its own file because it must be both fast (all
// records share one hidden class) and safe (a column may be called `__proto__`).
import type { Value, WfRecord } from '../../runtime/types.js';

/** Makes records with one own field for each name, in the order of the names; a cell that is missing is `null`, one too many is left out. */
export function recordFactory(names: readonly string[]): (cells: readonly Value[]) => WfRecord {
  // `fromEntries` and spreading define own fields. Assigning to a field that is already there never reaches a prototype.
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
