// Erases the data of finished runs on request: what remains is that a run was, when, how it ended, and who asked to erase it.
import type { Change } from '../durable-engine.js';
import { calledRunHex, toRunHex } from '../model/run-ids.js';
import { isFinished } from '../model/run-views.js';
import { erasedExtra, readExtra } from '../model/stored-run.js';
import type { StoreAccess } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';
import { toRunState } from '../views/show-run.js';
import type { ChangeNews } from './change-news.js';

/** Milliseconds after which files are rewritten: once for many runs. */
const SCRUB_MS = 500;

export class RunEraser {
  readonly #store: StoreAccess;
  readonly #lookup: RunLookup;
  readonly #news: ChangeNews;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scrubbing: Promise<void> = Promise.resolve();

  constructor(store: StoreAccess, lookup: RunLookup, news: ChangeNews) {
    this.#store = store;
    this.#lookup = lookup;
    this.#news = news;
  }

  async erase(id: string, by?: string): Promise<Change> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.#lookup.find(hex);
    if (hex === undefined || found === undefined) return { kind: 'unknown' };
    const state = toRunState(found);
    const called = await this.#lookup.calledBy(id);
    if (called !== undefined)
      return {
        kind: 'not possible',
        state,
        problem: `This run is part of the run ${called.root}, which called it. Erase that one.`,
      };
    if (!isFinished(state.status))
      return { kind: 'not possible', state, problem: `The run has not ended; its status is "${state.status}". Cancel it first.` };
    const branches = new Set((await this.#lookup.entries(found)).flatMap(({ branch }) => outermostFirst(branch)));
    const runs = [hex, ...[...branches].map((branch) => calledRunHex(hex, branch))] as const;
    const extra = readExtra(found.row.extra);
    const key = await this.#store.client.shared.eraseShared(runs, found.workflow, extra.key);
    const erased = extra.erased ?? { at: new Date().toISOString(), ...(by === undefined ? {} : { by }) };
    await this.#store.erasing.eraseRun(found.row, erasedExtra(extra, key, erased));
    this.#timer ??= setTimeout(() => void this.#scrub(), SCRUB_MS).unref();
    this.#news.run(hex);
    this.#news.tasks();
    return { kind: 'done', state: (await this.#lookup.state(id)) ?? state };
  }

  /** Rewrites what is due. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) void this.#scrub();
    await this.#scrubbing;
  }

  #scrub(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The data is gone already; what is left of it in a file goes with the next one.
    this.#scrubbing = this.#scrubbing.then(() => this.#store.erasing.scrub()).catch(() => undefined);
    return this.#scrubbing;
  }
}

/** A branch, and those around it: `a`, `a/b`, `a/b/c`. */
function outermostFirst(branch: string): string[] {
  const parts = branch === '' ? [] : branch.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
