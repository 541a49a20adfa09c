// A matched line as a tree of grammar rules, independent of the parser library. The matcher builds it, and the semantic actions read it.
import type { Read } from './source.js';

/**
 * Compact form: name of the rule (`*` for repeated or optional parts, empty for a terminal), first and end token, and the parts. A rule
 * that is a single token has no parts.
 */
export type Kept = readonly [rule: string, first: number, end: number, ...parts: Kept[]];

/** The action of a rule: returns a function that reads it from any line of this shape. `this` is the node, the arguments are its parts. */
export type Actions = Readonly<Record<string, (this: SyntaxNode, ...parts: SyntaxNode[]) => unknown>>;

export class SyntaxNode {
  readonly rule: string;
  /** Index of the first token, and of the one after the last. */
  readonly first: number;
  readonly end: number;
  readonly parts: readonly SyntaxNode[];
  readonly #shape: string;
  readonly #actions: Actions;

  constructor([rule, first, end, ...parts]: Kept, shape: string, actions: Actions) {
    this.rule = rule;
    this.first = first;
    this.end = end;
    this.parts = parts.map((part) => new SyntaxNode(part, shape, actions));
    this.#shape = shape;
    this.#actions = actions;
  }

  /** The characters of the private alphabet that it matched. */
  get characters(): string {
    return this.#shape.slice(this.first, this.end);
  }

  /** Runs the action of its rule. A rule without one that has a single part returns that part's result. */
  read<T>(): Read<T> {
    const action = Object.hasOwn(this.#actions, this.rule) ? this.#actions[this.rule] : undefined;
    // The action of a rule that is a single token reads that token.
    const parts = this.parts.length === 0 ? [this as SyntaxNode] : this.parts;
    if (action !== undefined) return action.apply(this, [...parts]) as Read<T>; // each action returns the reader of its rule
    const [only] = this.parts;
    if (only === undefined || this.parts.length > 1) throw new Error(`The rule ${this.rule} has no action`);
    return only.read<T>();
  }
}

/** Rules that reduce to their first part if nothing else matched. */
const chains: ReadonlySet<string> = new Set([
  'value_value',
  'pairValue_value',
  'choice',
  'disjunction',
  'conjunction',
  'comparison',
  'sum',
  'operand',
]);

/** Skips redundant levels: most rules of a value only pass on the one below. */
export function condensed(
  rule: string,
  first: number,
  end: number,
  parts: readonly Kept[],
  hasAction: (rule: string) => boolean,
): Kept {
  const [part, ...more] = parts;
  if (part !== undefined) {
    if (more.length === 0 && part[0] === '') return [rule, first, end];
    if (chains.has(rule) && more.every((other) => other[0] === '*' && other.length === 3)) return part;
    if (more.length === 0 && part[0] !== '' && part[0] !== '*' && !hasAction(rule)) return part;
  }
  return [rule, first, end, ...parts];
}
