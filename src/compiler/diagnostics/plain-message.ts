// The message, suggestion and hint of a diagnostic as one text, for the formats that have a single field for it.
import type { LocatedDiagnostic } from './diagnostic.js';

export function plainMessage({ message, suggestion, hint }: LocatedDiagnostic): string {
  const parts = [message];
  if (suggestion !== undefined) parts.push(`Did you mean "${suggestion}"?`);
  if (hint !== undefined) parts.push(`Hint: ${hint}`);
  return parts.join('\n');
}
