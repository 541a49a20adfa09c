// The name of a column in a spreadsheet.

/** `0` → `A`, `25` → `Z`, `26` → `AA`. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}
