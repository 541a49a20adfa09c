// What this process has prepared to run, described for its store: once, with the texts and the environment's prints that belong to it.
import type { Prepared } from '../../engine/prepare/prepared.js';
import { type DescribedVersion, describeVersion } from '../stored-version.js';
import type { EnvironmentPrints } from './environment-prints.js';

export class DescribedVersions {
  readonly #known = new WeakMap<Prepared, DescribedVersion>();
  readonly #prints: EnvironmentPrints;
  readonly #store: (contents: DescribedVersion['contents']) => Promise<void>;

  /** @param store writes texts that are not in the store yet */
  constructor(prints: EnvironmentPrints, store: (contents: DescribedVersion['contents']) => Promise<void>) {
    this.#prints = prints;
    this.#store = store;
  }

  /** `undefined` if it must be described first. */
  known(prepared: Prepared): DescribedVersion | undefined {
    return this.#known.get(prepared);
  }

  /** Its module and text are on disk when this resolves. */
  async of(prepared: Prepared): Promise<DescribedVersion> {
    const known = this.#known.get(prepared);
    if (known !== undefined) return known;
    const { info, ...rest } = describeVersion(prepared);
    await this.#store(rest.contents);
    const described = { ...rest, info: { ...info, environment: await this.#prints.of(info.env) } };
    this.#known.set(prepared, described);
    return described;
  }
}
