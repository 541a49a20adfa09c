// What can come next in a line, from the grammar itself: runs a rule over the tokens before the cursor and notes what each attempt lacked when
// they ended.
import { bodies, type Expression, names } from 'wf:rules';

export interface Expected {
  /** The characters of the alphabet that are still missing: those of several words, or a token class. */
  readonly missing: string;
  /** The rules that it would be part of, innermost last. */
  readonly rules: readonly string[];
}

/** A line of many brackets could take forever; what is known by then is enough. */
const MOST_STEPS = 100_000;

const parsed: Expression[] = [];

/** @param shape of the tokens before the cursor */
export function expectedAfter(rule: string, shape: string): Expected[] {
  return new Expecter(shape).run(rule);
}

class Expecter {
  readonly #shape: string;
  readonly #found = new Map<string, Expected>();
  readonly #rules: string[] = [];
  #at = 0;
  #steps = 0;
  /** Inside a condition that must not hold, nothing is expected. */
  #isRefusing = 0;

  constructor(shape: string) {
    this.#shape = shape;
  }

  run(rule: string): Expected[] {
    const index = names.indexOf(rule);
    if (index !== -1) this.#rule(index);
    return [...this.#found.values()];
  }

  #rule(index: number): boolean {
    if (++this.#steps > MOST_STEPS || this.#rules.length > 400) return false;
    parsed[index] ??= JSON.parse(bodies[index] ?? '') as Expression; // written by the build
    this.#rules.push(names[index] ?? '');
    const matched = this.#matches(parsed[index]);
    this.#rules.pop();
    return matched;
  }

  #matches(expression: Expression): boolean {
    switch (expression[0]) {
      case 'rule':
        return this.#rule(expression[1]);
      case 'terminal':
        return this.#terminal(expression[1]);
      case 'range': {
        const token = this.#shape.charAt(this.#at);
        return token >= expression[1] && token <= expression[2] && this.#take(1);
      }
      case 'any':
        return this.#at < this.#shape.length && this.#take(1);
      case 'not':
        return !this.#isAhead(expression[1]);
      case 'ahead':
        // At the end, whatever follows decides.
        return this.#at === this.#shape.length || this.#isAhead(expression[1]);
      case 'first of':
        return expression.slice(1).some((choice) => this.#matches(choice as Expression)); // all but the first are choices
      case 'all of':
        return this.#sequence(expression.slice(1) as Expression[]); // all but the first are parts
      case 'repeated': {
        const start = this.#at;
        let count = 0;
        while ((expression[3] === null || count < expression[3]) && this.#advances(expression[1])) count++;
        if (count >= expression[2]) return true;
        this.#at = start;
        return false;
      }
    }
  }

  /** Matches something that is not empty. */
  #advances(expression: Expression): boolean {
    const start = this.#at;
    return this.#matches(expression) && this.#at > start;
  }

  #sequence(parts: readonly Expression[]): boolean {
    const start = this.#at;
    if (parts.every((part) => this.#matches(part))) return true;
    this.#at = start;
    return false;
  }

  #terminal(wanted: string): boolean {
    if (this.#shape.startsWith(wanted, this.#at)) return this.#take(wanted.length);
    const rest = this.#shape.slice(this.#at);
    if (this.#isRefusing === 0 && rest.length < wanted.length && wanted.startsWith(rest)) {
      const missing = wanted.slice(rest.length);
      const rules = [...this.#rules];
      this.#found.set(`${missing} ${rules.slice(-4).join(' ')}`, { missing, rules });
    }
    return false;
  }

  #take(length: number): true {
    this.#at += length;
    return true;
  }

  #isAhead(expression: Expression): boolean {
    const start = this.#at;
    this.#isRefusing++;
    const isAhead = this.#matches(expression);
    this.#isRefusing--;
    this.#at = start;
    return isAhead;
  }
}
