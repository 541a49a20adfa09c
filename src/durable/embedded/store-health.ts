// Whether a store can be used: what is wrong with it, reported once, and those who don't wait until it is over.
import type { Health } from '../durable-engine.js';
import { UntilUnusable } from '../until-unusable.js';

/** What is wrong, as the end of a sentence: with commits, with other calls, with taking over runs, or with the thread itself. */
export interface StoreProblems {
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

  /** Reports nothing more. */
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
