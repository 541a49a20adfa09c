// The answers of mock services. They depend on the call and how often it was made, so calls at the same time get theirs in any order.
import type { Program, ScriptedAnswer } from './tree.js';

/** Calls in rounds at the same time have no order, so each gets the same answer every time. Their numbers start here. */
export const firstUnordered = 1_000;

export class Answers {
  readonly #answers: Program['answers'];
  readonly #made: Map<number, number>;

  /** @param made how often each call has been made, by its number */
  constructor(answers: Program['answers'], made: ReadonlyMap<number, number> = new Map()) {
    this.#answers = answers;
    this.#made = new Map(made);
  }

  next(call: number): ScriptedAnswer {
    const before = this.#made.get(call) ?? 0;
    this.#made.set(call, before + 1);
    const answer = this.#answers[(call + (call < firstUnordered ? before : 0)) % this.#answers.length];
    if (answer === undefined) throw new Error('A program has answers');
    return answer;
  }
}

/** The number of a call, which is part of its words or its instruction. */
export function numberOfCall({
  description,
  instruction,
}: {
  readonly description: string;
  readonly instruction?: string;
}): number {
  return Number(/(?:^| )(\d+)$/.exec(description)?.[1] ?? /^say (\d+) /.exec(instruction ?? '')?.[1]);
}
