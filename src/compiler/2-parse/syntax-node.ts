// A matched line as a tree of grammar rules, independent of the parser library. The matcher builds it, and the semantic actions read it.
// Every start builds hundreds of nodes before V8 has optimized anything, so nothing here spreads or destructures lists.
import type { Read } from './source.js';

/** The action of a rule: returns a function that reads it from any line of this shape. `this` is the node, the arguments are its parts. */
export type RuleAction = (this: SyntaxNode, ...parts: readonly SyntaxNode[]) => unknown;

export type Actions = Readonly<Record<string, (this: SyntaxNode, ...parts: SyntaxNode[]) => unknown>>;

/** What all nodes of a line share. */
export interface MatchedShape {
  /** The line in the private alphabet. */
  readonly shape: string;
  readonly actionOf: (rule: string) => RuleAction | undefined;
}

const NO_PARTS: readonly SyntaxNode[] = [];

export class SyntaxNode {
  /** Name of the rule; `*` for repeated or optional parts, empty for a terminal. */
  readonly rule: string;
  /** Index of the first token, and of the one after the last. */
  readonly first: number;
  readonly end: number;
  /** None for a rule that is a single token. */
  readonly parts: readonly SyntaxNode[];
  readonly line: MatchedShape;

  constructor(rule: string, first: number, end: number, parts: readonly SyntaxNode[], line: MatchedShape) {
    this.rule = rule;
    this.first = first;
    this.end = end;
    this.parts = parts;
    this.line = line;
  }

  /** The characters of the private alphabet that it matched. */
  get characters(): string {
    return this.line.shape.slice(this.first, this.end);
  }

  /** Runs the action of its rule. A rule without one that has a single part returns that part's result. */
  read<T>(): Read<T> {
    const action = this.line.actionOf(this.rule);
    const { parts } = this;
    // The action of a rule that is a single token reads that token. Each action returns the reader of its rule.
    if (action !== undefined) return action.apply(this, parts.length === 0 ? [this] : (parts as SyntaxNode[])) as Read<T>;
    const only = parts[0];
    if (only === undefined || parts.length > 1) throw new Error(`The rule ${this.rule} has no action`);
    return only.read<T>();
  }
}

/** A token, or several keywords that the grammar names together. */
export const terminal = (first: number, end: number, line: MatchedShape): SyntaxNode =>
  new SyntaxNode('', first, end, NO_PARTS, line);

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
  parts: readonly SyntaxNode[],
  line: MatchedShape,
): SyntaxNode {
  const part = parts[0];
  if (part === undefined) return new SyntaxNode(rule, first, end, NO_PARTS, line);
  if (parts.length === 1) {
    if (part.rule === '') return new SyntaxNode(rule, first, end, NO_PARTS, line);
    if (chains.has(rule) || (part.rule !== '*' && line.actionOf(rule) === undefined)) return part;
  } else if (chains.has(rule) && isAlone(parts)) return part;
  return new SyntaxNode(rule, first, end, parts, line);
}

/** Whether everything after the first part is optional and missing. */
function isAlone(parts: readonly SyntaxNode[]): boolean {
  for (let index = 1; index < parts.length; index++) {
    const part = parts[index];
    if (part?.rule !== '*' || part.parts.length > 0) return false;
  }
  return true;
}
