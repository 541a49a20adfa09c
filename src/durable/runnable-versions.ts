// The stored versions of workflows that this process executes, each loaded once.

import type { EndSignal } from '../../runtime/run/cancellation.js';
import type { Runnable } from '../engine/engine.js';
import { pluginLoader } from '../engine/prepare/load-plugin.js';
import type { OwnVersion } from './embedded/own-slot.js';
import { hasOwnRuntime, loadVersion, type VersionInfo } from './stored-version.js';

export class RunnableVersions {
  readonly #read: (hash: string) => Promise<string | undefined>;
  readonly #byHash = new Map<string, Promise<Runnable>>();

  /** @param read returns a text of the store by its hash */
  constructor(read: (hash: string) => Promise<string | undefined>) {
    this.#read = read;
  }

  /** @throws if its module is gone or damaged */
  get({ hash, info }: OwnVersion): Promise<Runnable> {
    let found = this.#byHash.get(hash);
    if (found === undefined) {
      found = this.#load(info);
      this.#byHash.set(hash, found);
      found.catch(() => this.#byHash.delete(hash));
    }
    return found;
  }

  async #load(info: VersionInfo): Promise<Runnable> {
    const { workflow, run: runStored } = await loadVersion(info, this.#read);
    // Runtimes of other versions of wf only know the signals of the platform.
    const run: typeof runStored = hasOwnRuntime(info)
      ? runStored
      : (request, options = {}) => runStored(request, { ...options, signal: platformSignal(options.signal) });
    return { workflow, run, loadPlugin: pluginLoader(info.folder), folder: info.folder };
  }
}

function platformSignal(signal: EndSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || !('listen' in signal)) return signal;
  const controller = new AbortController();
  const cancelled = (): void => controller.abort(signal.reason);
  if (signal.aborted) cancelled();
  else signal.listen({ cancelled });
  return controller.signal;
}
