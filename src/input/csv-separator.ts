// Detects the separator of a CSV file. Looks at one line only, and has to handle quotes before it knows what separates the
// cells.

const CANDIDATES = [',', ';', '\t'];

/**
 * Whichever of `,`, `;` and tab occurs most often outside quotes in the first non-empty line (the headers); the first of these
 * if there is a tie, and `,` if the file has a single column.
 */
export function csvSeparator(text: string): string {
  let counts = [0, 0, 0];
  let hasText = false;
  let atCellStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' && atCellStart) {
      const close = text.indexOf('"', at + 1);
      if (close === -1) break;
      if (text.slice(at + 1, close).trim() !== '') hasText = true;
      at = close;
      // A doubled quote continues the cell: the next pass finds a quote "at the start".
      atCellStart = text.charAt(at + 1) === '"';
      continue;
    }
    if (character === '\n' || character === '\r') {
      if (hasText) break;
      counts = [0, 0, 0];
      atCellStart = true;
      continue;
    }
    const candidate = CANDIDATES.indexOf(character);
    if (candidate >= 0) counts[candidate] = (counts[candidate] ?? 0) + 1;
    else if (character.trim() !== '') hasText = true;
    atCellStart = candidate >= 0;
  }
  return CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',';
}
