// Tells watchers which runs and tasks of this process changed, and that something changed elsewhere, at most four times a second.
import type { Changed } from '../durable-engine.js';
import { toRunId } from '../model/run-ids.js';

/** Milliseconds between two notifications. */
const EVERY_MS = 250;

export class ChangeNews {
  readonly #watchers = new Set<(changed: Changed) => void>();
  readonly #runs = new Set<string>();
  #tasks = false;
  #elsewhere = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #watchOthers: (onChange: () => void) => () => void;
  #stopOthers: (() => void) | undefined;

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** @param watchOthers looks for changes of other processes while anyone is watching; returns a function that stops this */
  constructor(watchOthers: (onChange: () => void) => () => void = () => () => undefined) {
    this.#watchOthers = watchOthers;
  }

  watch(callback: (changed: Changed) => void): () => void {
    this.#watchers.add(callback);
    this.#stopOthers ??= this.#watchOthers(() => this.elsewhere());
    return () => {
      this.#watchers.delete(callback);
      if (this.#watchers.size > 0) return;
      this.#stopOthers?.();
      this.#stopOthers = undefined;
    };
  }

  run(hex: string): void {
    if (this.#watchers.size === 0) return;
    this.#runs.add(toRunId(hex));
    this.#schedule();
  }

  tasks(): void {
    this.#tasks = true;
    this.#schedule();
  }

  elsewhere(): void {
    this.#elsewhere = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#watchers.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#announce(), EVERY_MS);
    this.#timer.unref();
  }

  #announce(): void {
    this.#timer = undefined;
    const changed: Changed = { runs: [...this.#runs], tasks: this.#tasks, elsewhere: this.#elsewhere };
    this.#runs.clear();
    this.#tasks = false;
    this.#elsewhere = false;
    for (const callback of [...this.#watchers]) callback(changed);
  }
}
