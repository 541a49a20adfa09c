// Unpacks what `pack.ts` packed: takes bytes, gives the text. The scripts of the playground travel this way, in four fifths of what gzip needs.
import { BitModel } from './bit-model.js';

/** Bytes before the packed bits: the length of the text, and where the sorted text starts. */
export const HEAD = 8;

/** Fetches a packed script. @returns an address of the page's own for its text */
export async function fetchPacked(address: string): Promise<string> {
  const answer = await fetch(address);
  const text = unpack(new Uint8Array(await answer.arrayBuffer()));
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
}

export function unpack(packed: Uint8Array): string {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const [length, start] = [view.getUint32(0), view.getUint32(4)];
  return new TextDecoder().decode(unsorted(sortedBytes(packed, length), start));
}

/** Decodes the bits: each halves a range in the proportion that the model predicts. */
function sortedBytes(packed: Uint8Array, length: number): Uint8Array {
  const model = new BitModel();
  const sorted = new Uint8Array(length);
  let [low, high, code, at] = [0, 0xffffffff, 0, HEAD];
  const next = (): number => packed[at++] ?? 0;
  for (let byte = 0; byte < 4; byte++) code = ((code << 8) | next()) >>> 0;
  for (let index = 0; index < length; index++) {
    let byte = 1;
    while (byte < 256) {
      const middle = splitAt(low, high, model.predict());
      const bit = code <= middle ? 1 : 0;
      if (bit === 1) high = middle;
      else low = middle + 1;
      model.learn(bit);
      byte = byte * 2 + bit;
      while ((low ^ high) >>> 24 === 0) {
        low = (low << 8) >>> 0;
        high = ((high << 8) | 255) >>> 0;
        code = ((code << 8) | next()) >>> 0;
      }
    }
    sorted[index] = byte & 255;
  }
  return sorted;
}

/** Where a range is divided. @param probability of a one, in 2 ** 18ths */
export function splitAt(low: number, high: number, probability: number): number {
  const range = high - low;
  return low + Math.floor(range / 2 ** 18) * probability + Math.floor(((range % 2 ** 18) * probability) / 2 ** 18);
}

/** Puts sorted bytes back into their order. @param start the row of the text itself among all rotations of it */
function unsorted(sorted: Uint8Array, start: number): Uint8Array<ArrayBuffer> {
  const { length } = sorted;
  const first = new Uint32Array(257);
  for (const byte of sorted) first[byte + 1] = (first[byte + 1] ?? 0) + 1;
  for (let byte = 0; byte < 256; byte++) first[byte + 1] = (first[byte + 1] ?? 0) + (first[byte] ?? 0);
  const following = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    const byte = sorted[row] ?? 0;
    const place = first[byte] ?? 0;
    first[byte] = place + 1;
    following[place] = row;
  }
  const text = new Uint8Array(length);
  let row = following[start] ?? 0;
  for (let index = 0; index < length; index++) {
    text[index] = sorted[row] ?? 0;
    row = following[row] ?? 0;
  }
  return text;
}
