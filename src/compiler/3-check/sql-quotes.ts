// Finds values inside quotes or comments of an SQL statement, where they would be text rather than values.
import type { Reference, Text } from '../2-parse/tree.js';

/** The start of a stretch without values → its end. PostgreSQL's `$tag$` ends with itself. */
const opening = /'|"|`|--|\/\*|\$[A-Za-z_]*\$/g;

const endOf = (open: string): string => (open === '--' ? '\n' : open === '/*' ? '*/' : open);

/** A doubled quote ends one text and starts the next, with the same effect. */
export function valuesInQuotes({ parts }: Text): Reference[] {
  const found: Reference[] = [];
  let open: string | undefined;
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (open !== undefined) found.push(part);
      continue;
    }
    let at = 0;
    while (at < part.length) {
      if (open !== undefined) {
        const end = part.indexOf(endOf(open), at);
        if (end === -1) break;
        at = end + endOf(open).length;
        open = undefined;
        continue;
      }
      opening.lastIndex = at;
      const next = opening.exec(part);
      if (next === null) break;
      [open] = next;
      at = next.index + open.length;
    }
  }
  return found;
}
