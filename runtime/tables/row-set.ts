// A set of rows as bits, with a second level that says which words have any: a search skips the others.

export class RowSet {
  readonly words: Uint32Array;
  readonly blocks: Uint32Array;

  /** @param rows how many there are at most */
  constructor(rows: number) {
    this.words = new Uint32Array(Math.ceil(rows / 32));
    this.blocks = new Uint32Array(Math.ceil(rows / 1024));
  }

  add(row: number): void {
    setBit(this.words, row);
    setBit(this.blocks, row >> 5);
  }

  addAll(other: RowSet): this {
    for (let index = 0; index < this.words.length; index++)
      this.words[index] = (this.words[index] ?? 0) | (other.words[index] ?? 0);
    for (let index = 0; index < this.blocks.length; index++)
      this.blocks[index] = (this.blocks[index] ?? 0) | (other.blocks[index] ?? 0);
    return this;
  }

  /** The first row, from the top, that is in all of `sets`, of which there is at least one, and `fits`; -1 if there is none. */
  static first(sets: readonly RowSet[], fits: (row: number) => boolean): number {
    const length = sets[0]?.blocks.length ?? 0;
    for (let index = 0; index < length; index++) {
      let blocks = -1;
      for (let set = 0; set < sets.length; set++) blocks &= sets[set]?.blocks[index] ?? 0;
      for (; blocks !== 0; blocks &= blocks - 1) {
        const word = 32 * index + lowestBit(blocks);
        let rows = -1;
        for (let set = 0; set < sets.length; set++) rows &= sets[set]?.words[word] ?? 0;
        for (; rows !== 0; rows &= rows - 1) {
          const row = 32 * word + lowestBit(rows);
          if (fits(row)) return row;
        }
      }
    }
    return -1;
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

function setBit(bits: Uint32Array, index: number): void {
  bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
}
