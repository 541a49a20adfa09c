// Text of a CSV file goes in, the character between its cells comes out. Its own file because the rule looks at one line only and
// has to read quotes before anybody knows what separates the cells.

const CANDIDATES = [',', ';', '\t'];

/**
 * The one of `,` `;` and tab that stands most often, outside quotes, in the first line that is not empty (the headers); of equals the one
 * named first. A file of one column has none of them: `,`.
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
      // A doubled quote goes on where the next turn of the loop finds a quote "at the start".
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
