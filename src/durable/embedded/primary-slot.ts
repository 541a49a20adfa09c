// The slot for new runs of this process, taken on first use.
import type { OwnSlot } from './own-slot.js';

export class PrimarySlot {
  readonly #take: (empty: boolean) => Promise<OwnSlot>;
  #taking: Promise<OwnSlot> | undefined;
  #taken: OwnSlot | undefined;

  constructor(take: (empty: boolean) => Promise<OwnSlot>) {
    this.#take = take;
  }

  /** Absent until it is taken. */
  get taken(): OwnSlot | undefined {
    return this.#taken;
  }

  /** @param empty whether the slot must not contain runs of others */
  take(empty: boolean): Promise<OwnSlot> {
    if (this.#taking !== undefined) return this.#taking;
    const taking = this.#take(empty);
    this.#taking = taking;
    taking.then(
      (slot) => {
        if (this.#taking === taking) this.#taken = slot;
      },
      () => {
        // A disk that is full now may have space later.
        if (this.#taking === taking) this.#taking = undefined;
      },
    );
    return taking;
  }

  /** It belongs to this process no more: the next use takes another. */
  forget(): void {
    this.#taking = undefined;
    this.#taken = undefined;
  }
}
