// Matches a line shape against the grammar without Ohm, which takes longer to load than a small file takes to compile. The build extracts
// the rules as data; the semantics are Ohm's, choice by choice, and a test compares the two. Shapes that fail here go to Ohm for an explanation.
import { bodies, type Expression, starts } from 'wf:rules';
import { hasAction } from './actions.js';
import { partsOf } from './deep-shapes.js';
import { condensed, type Kept } from './syntax-node.js';

const parsed = new Map<string, Expression>();

function bodyOf(rule: string): Expression {
  let body = parsed.get(rule);
  if (body === undefined) {
    const text = bodies[rule];
    if (text === undefined) throw new Error(`The grammar has no rule ${rule}`);
    body = JSON.parse(text) as Expression; // written by the build
    parsed.set(rule, body);
  }
  return body;
}

/** The tree of a whole shape, or `undefined` if the rule does not match or the shape is nested too deep. */
export function matchByRules(rule: string, shape: string): Kept | undefined {
  if (partsOf(shape) !== undefined) return undefined;
  const tree: Kept[] = [];
  const matcher = new Matcher(shape);
  return matcher.rule(rule, tree) && matcher.isAtEnd ? tree[0] : undefined;
}

/** Matches a shape from left to right. A failed alternative restores the position and the parts. */
class Matcher {
  readonly #shape: string;
  #at = 0;

  constructor(shape: string) {
    this.#shape = shape;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#shape.length;
  }

  rule(name: string, parts: Kept[]): boolean {
    const start = this.#at;
    if (this.#rulesOut(name)) return false;
    const own: Kept[] = [];
    if (!this.#matches(bodyOf(name), own)) return false;
    parts.push(condensed(name, start, this.#at, own, hasAction));
    return true;
  }

  /** Whether the next token shows that a rule can't match, as for most alternatives. */
  #rulesOut(rule: string): boolean {
    return starts[rule]?.includes(this.#shape.charAt(this.#at)) === false;
  }

  #matches(expression: Expression, parts: Kept[]): boolean {
    switch (expression[0]) {
      case 'rule':
        return this.rule(expression[1], parts);
      case 'terminal':
        return this.#shape.startsWith(expression[1], this.#at) && this.#take(expression[1].length, parts);
      case 'range': {
        const token = this.#shape.charAt(this.#at);
        return token >= expression[1] && token <= expression[2] && this.#take(1, parts);
      }
      case 'any':
        return !this.isAtEnd && this.#take(1, parts);
      case 'not':
        return !this.#isAhead(expression[1]);
      case 'first of':
        for (let index = 1; index < expression.length; index++) {
          const choice = expression[index] as Expression; // all but the first are choices
          if (choice[0] === 'rule' && this.#rulesOut(choice[1])) continue;
          if (this.#matches(choice, parts)) return true;
        }
        return false;
      case 'all of': {
        const [start, count] = [this.#at, parts.length];
        for (let index = 1; index < expression.length; index++) {
          // all but the first are parts of a sequence
          if (this.#matches(expression[index] as Expression, parts)) continue;
          this.#at = start;
          parts.length = count;
          return false;
        }
        return true;
      }
      case 'repeated':
        return this.#repeated(expression, parts);
    }
  }

  #take(length: number, parts: Kept[]): true {
    parts.push(['', this.#at, this.#at + length]);
    this.#at += length;
    return true;
  }

  #isAhead(expression: Expression): boolean {
    const start = this.#at;
    const isAhead = this.#matches(expression, []);
    this.#at = start;
    return isAhead;
  }

  /** As in Ohm: for repetitions, one list per part, each spanning the whole. */
  #repeated(
    [, expression, arity, least, most]: Extract<Expression, readonly ['repeated', ...unknown[]]>,
    parts: Kept[],
  ): boolean {
    const start = this.#at;
    const found: Kept[] = [];
    let count = 0;
    while (count < (most ?? Number.POSITIVE_INFINITY) && this.#matches(expression, found)) count++;
    if (count < least) {
      this.#at = start;
      return false;
    }
    for (let column = 0; column < arity; column++)
      parts.push(['*', start, this.#at, ...found.filter((_, index) => index % arity === column)]);
    return true;
  }
}
