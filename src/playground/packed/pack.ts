// Packs a text for the way to the browser: sorts its bytes by what follows them, and codes each bit as the model expects it. The build uses it.
import { alphabet, coded, HEAD } from './unpack.js';

export function pack(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text).map((byte) => alphabet.indexOf(byte));
  const { length } = bytes;
  const rows = rotations(bytes);
  const packed: number[] = [];
  const sorted = Uint8Array.from(rows, (row) => bytes[(row + length - 1) % length] ?? 0);
  coded(length, 0, (byte) => packed.push(byte), sorted);
  const whole = new Uint8Array(HEAD + packed.length);
  const view = new DataView(whole.buffer);
  view.setUint32(0, length);
  view.setUint32(4, rows.indexOf(0));
  whole.set(packed, HEAD);
  return whole;
}

/** The starts of all rotations of the bytes, sorted by them: by one byte first, then by twice as many each time (Manber and Myers, 1990). */
function rotations(bytes: Uint8Array): Uint32Array {
  const { length } = bytes;
  let ranks = Uint32Array.from(bytes);
  let next = new Uint32Array(length);
  const rows = byRank(
    Uint32Array.from(bytes, (_, index) => index),
    ranks,
    256,
  );
  for (let width = 0; width < length; width = Math.max(1, width * 2)) {
    const after = Uint32Array.from(rows, (row) => (row + length - width) % length);
    rows.set(width === 0 ? rows : byRank(after, ranks, Math.max(256, length)));
    next[rows[0] ?? 0] = 0;
    let rank = 0;
    for (let index = 1; index < length; index++) {
      const [row = 0, before = 0] = [rows[index], rows[index - 1]];
      const isSame = ranks[row] === ranks[before] && ranks[(row + width) % length] === ranks[(before + width) % length];
      next[row] = isSame ? rank : ++rank;
    }
    [ranks, next] = [next, ranks];
    if (rank === length - 1) break;
  }
  return rows;
}

/** Sorts rows by their ranks, and keeps the order of equal ones. */
function byRank(rows: Uint32Array, ranks: Uint32Array, most: number): Uint32Array {
  const places = new Uint32Array(most + 1);
  for (const row of rows) places[(ranks[row] ?? 0) + 1] = (places[(ranks[row] ?? 0) + 1] ?? 0) + 1;
  for (let rank = 0; rank < most; rank++) places[rank + 1] = (places[rank + 1] ?? 0) + (places[rank] ?? 0);
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const rank = ranks[row] ?? 0;
    const place = places[rank] ?? 0;
    places[rank] = place + 1;
    sorted[place] = row;
  }
  return sorted;
}
