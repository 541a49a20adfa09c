// Those who wait for a store only while it can be used.

export class UntilUnusable {
  readonly #abandons = new Set<() => void>();

  /** The store can't be used: nobody waits for it any longer. */
  abandon(): void {
    for (const abandon of this.#abandons) abandon();
  }

  /** Resolves with the result of the work, or with `undefined` as soon as the store can't be used. */
  wait<T>(work: Promise<T>, isUsable: boolean): Promise<T | undefined> {
    if (!isUsable) {
      // Its failure says once more what the store has reported.
      work.catch(() => undefined);
      return Promise.resolve(undefined);
    }
    return new Promise((resolve, reject) => {
      const abandon = (): void => resolve(undefined);
      this.#abandons.add(abandon);
      void work.then(resolve, reject).finally(() => this.#abandons.delete(abandon));
    });
  }
}
