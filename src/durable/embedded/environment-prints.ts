// Notices that an environment variable has another value than when a run started. The store has only a short keyed hash of each value.
import type { Environment } from '../../../runtime/types.js';

export class EnvironmentPrints {
  readonly #env: Environment;
  readonly #hash: (texts: readonly string[]) => Promise<readonly string[]>;
  readonly #known = new Map<string, Promise<string>>();

  /** @param hash returns short hashes that can't be computed without the store's own secret */
  constructor(env: Environment, hash: (texts: readonly string[]) => Promise<readonly string[]>) {
    this.#env = env;
    this.#hash = hash;
  }

  /** `RATES_URL:1f8b2c90,TOKEN:77e0aa31`. */
  of(names: readonly string[]): Promise<string> {
    const key = names.join();
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#hash(names.map((name) => `${name}=${this.#env[name] ?? ''}`)).then((hashes) =>
        names.map((name, index) => `${name}:${hashes[index]}`).join(),
      );
      this.#known.set(key, known);
      known.catch(() => this.#known.delete(key));
    }
    return known;
  }

  /** Those of these variables whose values differ from what `of` returned then; none if that is unknown. */
  async changed(names: readonly string[], then: string | undefined): Promise<string[]> {
    if (then === undefined) return [];
    const before = new Set(then.split(','));
    const now = await this.of(names);
    return names.length === 0 ? [] : now.split(',').flatMap((print) => (before.has(print) ? [] : [print.split(':')[0] ?? '']));
  }
}
