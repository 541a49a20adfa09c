// Says whether a store can be used now. Reports each problem once, and ends waits for a store that can't be used.
import type { Health } from '../../model/run-views.js';

/** Problems, each as the end of a sentence: with commits, with other calls, with taking over runs, or with the thread itself. */
interface StoreProblems {
  commits?: string | undefined;
  calls?: string | undefined;
  adoption?: string | undefined;
  silence?: string | undefined;
  lost?: string | undefined;
}

export class StoreHealth {
  readonly #onProblem: (sentence: string) => void;
  readonly #problems: StoreProblems = {};
  #trouble: { readonly problem: string; readonly since: string } | undefined;
  readonly #waiting = new UntilUnusable();
  #isClosed = false;

  /** @param onProblem called when the store can't be used, and when it can be again */
  constructor(onProblem: (sentence: string) => void) {
    this.#onProblem = onProblem;
  }

  get state(): Health {
    return this.#trouble === undefined ? { ok: true } : { ok: false, ...this.#trouble };
  }

  /** @param sentence says it instead of the usual one */
  report(news: StoreProblems, sentence?: string): void {
    Object.assign(this.#problems, news);
    const { lost, commits, calls, adoption, silence } = this.#problems;
    const problem = lost ?? silence ?? commits ?? calls ?? adoption;
    if (problem === this.#trouble?.problem || this.#isClosed) return;
    this.#trouble = problem === undefined ? undefined : { problem, since: new Date().toISOString() };
    if (problem !== undefined) this.#waiting.abandon();
    this.#onProblem(sentence ?? sentenceOf(problem, problem === lost));
  }

  /** Resolves with the result of the work, or with `undefined` as soon as the store can't be used. */
  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.#waiting.wait(work, this.state.ok);
  }

  /** Stops reporting. */
  close(): void {
    this.#isClosed = true;
  }
}

function sentenceOf(problem: string | undefined, isLost: boolean): string {
  if (problem === undefined) return 'The store is writable again; runs continue.';
  return isLost
    ? `The store cannot be used any more: ${problem}. Restart wf to continue its runs.`
    : `The store cannot be written: ${problem}. Runs wait until it can be written again.`;
}

export class UntilUnusable {
  readonly #abandons = new Set<() => void>();

  /** Ends all waits, because the store can't be used. */
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
