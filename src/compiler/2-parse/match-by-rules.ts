// Matches a line shape against the grammar without Ohm, which takes longer to load than a small file takes to compile. The build extracts
// the rules as data; the semantics are Ohm's, choice by choice, and a test compares the two. Shapes that fail here go to Ohm for an explanation.
import { bodies, type Expression, names, starts } from 'wf:rules';
import { actionOf } from './actions/action-of.js';
import { partsOf } from './deep-shapes.js';
import { condensed, type MatchedShape, SyntaxNode, terminal } from './syntax-node.js';

/** A small file needs few of the rules, so each is parsed when it is first tried. */
const parsed: Expression[] = [];

/** The tree of a whole shape, or `undefined` if the rule does not match or the shape is nested too deep. */
export function matchByRules(rule: string, shape: string): SyntaxNode | undefined {
  if (partsOf(shape) !== undefined) return undefined;
  const index = names.indexOf(rule);
  if (index === -1) throw new Error(`The grammar has no rule ${rule}`);
  return new Matcher({ shape, actionOf }).whole(index);
}

/** Matches a shape from left to right. A failed alternative restores the position and the nodes. */
class Matcher {
  readonly #line: MatchedShape;
  readonly #shape: string;
  #at = 0;
  /** The nodes found so far; a rule that matches replaces its parts, the last of them, by itself. */
  readonly #nodes: SyntaxNode[] = [];
  #count = 0;

  constructor(line: MatchedShape) {
    this.#line = line;
    this.#shape = line.shape;
  }

  whole(rule: number): SyntaxNode | undefined {
    return this.#rule(rule) && this.#at === this.#shape.length ? this.#nodes[0] : undefined;
  }

  #rule(rule: number): boolean {
    if (this.#rulesOut(rule)) return false;
    const start = this.#at;
    const count = this.#count;
    parsed[rule] ??= JSON.parse(bodies[rule] ?? '') as Expression; // written by the build
    if (!this.#matches(parsed[rule])) return false;
    const parts = this.#nodes.slice(count, this.#count);
    this.#count = count;
    return this.#add(condensed(names[rule] ?? '', start, this.#at, parts, this.#line));
  }

  /** Whether the next token shows that a rule can't match, as for most alternatives. */
  #rulesOut(rule: number): boolean {
    const tokens = starts[rule];
    return typeof tokens === 'string' && !tokens.includes(this.#shape.charAt(this.#at));
  }

  #matches(expression: Expression): boolean {
    switch (expression[0]) {
      case 'rule':
        return this.#rule(expression[1]);
      case 'terminal':
        return this.#shape.startsWith(expression[1], this.#at) && this.#take(expression[1].length);
      case 'range': {
        const token = this.#shape.charAt(this.#at);
        return token >= expression[1] && token <= expression[2] && this.#take(1);
      }
      case 'any':
        return this.#at < this.#shape.length && this.#take(1);
      case 'not':
        return !this.#isAhead(expression[1]);
      case 'first of':
        for (let index = 1; index < expression.length; index++) {
          const choice = expression[index] as Expression; // all but the first are choices
          if (choice[0] === 'rule' && this.#rulesOut(choice[1])) continue;
          if (this.#matches(choice)) return true;
        }
        return false;
      case 'all of': {
        const start = this.#at;
        const count = this.#count;
        for (let index = 1; index < expression.length; index++) {
          // all but the first are parts of a sequence
          if (this.#matches(expression[index] as Expression)) continue;
          this.#at = start;
          this.#count = count;
          return false;
        }
        return true;
      }
      case 'repeated':
        return this.#repeated(expression[1], expression[2], expression[3], expression[4]);
    }
  }

  #add(node: SyntaxNode): true {
    this.#nodes[this.#count++] = node;
    return true;
  }

  #take(length: number): true {
    const start = this.#at;
    this.#at += length;
    return this.#add(terminal(start, this.#at, this.#line));
  }

  #isAhead(expression: Expression): boolean {
    const start = this.#at;
    const count = this.#count;
    const isAhead = this.#matches(expression);
    this.#at = start;
    this.#count = count;
    return isAhead;
  }

  /** As in Ohm: for repetitions, one list per part, each spanning the whole. `arity` is the number of parts. */
  #repeated(expression: Expression, arity: number, least: number, most: number | null): boolean {
    const start = this.#at;
    const first = this.#count;
    let count = 0;
    while ((most === null || count < most) && this.#matches(expression)) count++;
    const found = this.#nodes.slice(first, this.#count);
    this.#count = first;
    if (count < least) {
      this.#at = start;
      return false;
    }
    for (let column = 0; column < arity; column++) {
      const parts = arity === 1 ? found : found.filter((_, index) => index % arity === column);
      this.#add(new SyntaxNode('*', start, this.#at, parts, this.#line));
    }
    return true;
  }
}
