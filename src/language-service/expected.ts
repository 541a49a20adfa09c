// Finds what can come next in a line, from the grammar itself: runs a rule over the tokens before the cursor and notes what each attempt
// lacked when they ended.
import { type RecipeExpression as Expression, readRecipe } from 'wf:grammar';

export interface Expected {
  /** The characters of the alphabet that are still missing: those of several words, or a token class. */
  readonly missing: string;
  /** The rules that it would be part of, innermost last. */
  readonly rules: readonly string[];
}

/** A line of many brackets could take forever; what is known by then is enough. */
const MOST_STEPS = 100_000;

const [, , , , , rules] = readRecipe();

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
  /** Whether the tokens ended inside of words that the last condition asks for. */
  #isUnfinished = false;

  constructor(shape: string) {
    this.#shape = shape;
  }

  run(rule: string): Expected[] {
    if (Object.hasOwn(rules, rule)) this.#rule(rule);
    return [...this.#found.values()];
  }

  #rule(name: string): boolean {
    if (name === 'any') return this.#at < this.#shape.length && this.#take(1);
    if (++this.#steps > MOST_STEPS || this.#rules.length > 400) return false;
    const rule = rules[name];
    if (rule === undefined) throw new Error(`The grammar uses the rule ${name}, which completion does not know`);
    this.#rules.push(name);
    const matched = this.#matches(rule[4]);
    this.#rules.pop();
    return matched;
  }

  #matches(expression: Expression): boolean {
    const [operator, , operand] = expression;
    switch (operator) {
      case 'app':
        return this.#rule(operand);
      case 'terminal':
        return this.#terminal(operand);
      case 'range': {
        const token = this.#shape.charAt(this.#at);
        return token >= operand && token <= expression[3] && this.#take(1);
      }
      case 'not':
        return !this.#isAhead(operand);
      case 'lookahead':
        // At the end, whatever follows decides; also in the middle of words that belong together.
        this.#isUnfinished = this.#at === this.#shape.length;
        return this.#isAhead(operand) || this.#isUnfinished;
      case 'alt':
        return partsOf(expression).some((choice) => this.#matches(choice));
      case 'seq':
        return this.#sequence(partsOf(expression));
      case 'opt':
        this.#advances(operand);
        return true;
      case 'plus':
      case 'star': {
        let count = 0;
        while (this.#advances(operand)) count++;
        return operator === 'star' || count > 0;
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
    if (rest.length >= wanted.length || !wanted.startsWith(rest)) return false;
    if (this.#isRefusing > 0) this.#isUnfinished = true;
    else {
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

const partsOf = (expression: readonly ['alt' | 'seq', object, ...Expression[]]): readonly Expression[] => {
  const [, , ...parts] = expression;
  return parts;
};
