// Warns where a workflow that is served or scheduled without a store pauses for so long that its runs are likely to be lost.
import type { Prepared } from '../prepare/prepared.js';

/** Places that one warning names. */
const MOST_NAMED = 3;

/** A warning, or `undefined` for a workflow that never pauses for long. */
export function storeWarning({ file, workflow: { pauses = [] } }: Pick<Prepared, 'file' | 'workflow'>): string | undefined {
  if (pauses.length === 0) return undefined;
  const named = pauses.slice(0, MOST_NAMED).map(({ line, reason }) => `line ${line} waits for ${reason}`);
  const rest = pauses.length > MOST_NAMED ? `, and ${pauses.length - MOST_NAMED} more` : '';
  return `Warning: ${file}: ${named.join(', ')}${rest}, but there is no store: only a store receives answers and messages, and keeps waiting runs when this process ends. Add --store <folder>.`;
}
