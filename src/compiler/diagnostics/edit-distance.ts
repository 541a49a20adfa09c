// Counts the typing mistakes between two words, up to a limit. `suggest.ts` decides what follows from it.

/** Longer words are not compared: no one mistypes a name of 100 letters, and the work is quadratic. */
const LONGEST_WORD = 100;

const FAR = 255;
const width = LONGEST_WORD + 1;
// Shared by all calls, which never overlap. Allocating 10 KB for each would cost more than the rest.
const table = new Uint8Array(width * width);
const cell = (row: number, column: number): number => table[row * width + column] ?? FAR;

/**
 * The restricted Damerau-Levenshtein distance (optimal string alignment): how many letters (UTF-16 units) must be changed, added, removed
 * or swapped with their neighbour to turn one word into the other. `Infinity` if it is more than `limit`, or a word is longer than
 * `LONGEST_WORD`.
 */
export function boundedDistance(one: string, other: string, limit: number): number {
  if (one.length > LONGEST_WORD || other.length > LONGEST_WORD) return Number.POSITIVE_INFINITY;
  let start = 0;
  let oneEnd = one.length;
  let otherEnd = other.length;
  while (start < oneEnd && start < otherEnd && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  while (oneEnd > start && otherEnd > start && one.charCodeAt(oneEnd - 1) === other.charCodeAt(otherEnd - 1)) {
    oneEnd--;
    otherEnd--;
  }
  const distance = tableDistance(one.slice(start, oneEnd), other.slice(start, otherEnd), limit);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

/** Fills the table row by row, only where a distance within `limit` is still possible; gives up at a row without any. */
function tableDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return FAR;
  if (one === '' || other === '') return one.length + other.length;
  for (let column = 0; column <= other.length; column++) table[column] = column;
  for (let row = 1; row <= one.length; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(other.length, row + limit);
    table[row * width + first - 1] = first === 1 ? row : FAR;
    let nearest = FAR;
    for (let column = first; column <= last; column++) {
      const same = one.charCodeAt(row - 1) === other.charCodeAt(column - 1);
      let distance = Math.min(cell(row - 1, column - 1) + (same ? 0 : 1), cell(row, column - 1) + 1);
      if (column < row + limit || row === 1) distance = Math.min(distance, cell(row - 1, column) + 1);
      if (row > 1 && column > 1 && isSwap(one, row, other, column)) distance = Math.min(distance, cell(row - 2, column - 2) + 1);
      table[row * width + column] = distance;
      if (distance < nearest) nearest = distance;
    }
    // A swap reaches back two rows and adds one, so a row that exceeds the limit by one can still lead to a distance at the limit.
    if (nearest > limit + 1) return FAR;
  }
  return cell(one.length, other.length);
}

const isSwap = (one: string, row: number, other: string, column: number): boolean =>
  one.charCodeAt(row - 1) === other.charCodeAt(column - 2) && one.charCodeAt(row - 2) === other.charCodeAt(column - 1);
