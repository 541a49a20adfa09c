// Matches a line shape with Ohm and says where and why it fails. Loaded only once a shape has failed to match.

import { loadGrammar } from 'wf:grammar';
import type { Node } from 'ohm-js';
import { tokenClass, wordOf } from '../1-layout/alphabet.js';
import { actionOf } from './actions/action-of.js';
import { isUnclosed, type Part, partsOf } from './deep-shapes.js';
import { LINES } from './explain/expected-words.js';
import { condensed, type MatchedShape, SyntaxNode, terminal } from './syntax-node.js';

export interface LineFailure {
  readonly matched: false;
  /** Index of the first token that does not fit, or the number of tokens if the line ends too early. */
  readonly token: number;
  /** Words, punctuation and token classes that would have fitted there, in terms for people. */
  readonly expected: readonly string[];
}

const grammar = loadGrammar();
const semantics = grammar.createSemantics().addOperation<SyntaxNode>('node(line)', {
  _nonterminal(...parts) {
    const { line } = this.args;
    return condensed(this.ctorName, this.source.startIdx, this.source.endIdx, nodesOf(parts, line), line);
  },
  _iter(...parts) {
    const { line } = this.args;
    return new SyntaxNode('*', this.source.startIdx, this.source.endIdx, nodesOf(parts, line), line);
  },
  _terminal() {
    return terminal(this.source.startIdx, this.source.endIdx, this.args.line);
  },
});

const nodesOf = (parts: readonly Node[], line: MatchedShape): SyntaxNode[] => parts.map((part) => part.node(line));

/** Part of every failed match; Ohm's type declarations leave it out. */
interface WithFailures {
  getRightmostFailures(): readonly { getText(): string }[];
}

type Result = { readonly matched: true; readonly tree: SyntaxNode } | LineFailure;

export function matchWithOhm(rule: string, shape: string): Result {
  const parts = partsOf(shape);
  return parts === undefined ? matchAtOnce(rule, shape) : matchPart(rule, parts, { shape, actionOf });
}

/** Matches a part, then the groups that were cut out of it, and puts their trees together. */
function matchPart(rule: string, part: Part, line: MatchedShape): Result {
  const { starts, ends, groups } = part;
  if (isUnclosed(part)) return { matched: false, token: (ends.at(-1) ?? 1) - 1, expected: ['")"'] };
  const result = matchAtOnce(rule, part.shape);
  if (!result.matched) return { ...result, token: starts[result.token] ?? ends.at(-1) ?? 0 };
  let failure: LineFailure | undefined;
  const placed = ({ rule: name, first, end, parts }: SyntaxNode): SyntaxNode => {
    const start = starts[first] ?? ends.at(-1) ?? 0;
    const group = name === 'primary_nested' ? groups.get(start) : undefined;
    if (group === undefined)
      return new SyntaxNode(name, start, end > first ? (ends[end - 1] ?? start) : start, parts.map(placed), line);
    const inner = matchPart('primary', group, line);
    if (inner.matched) return inner.tree;
    failure ??= inner;
    return terminal(start, start, line);
  };
  const tree = placed(result.tree);
  return failure ?? { matched: true, tree };
}

function matchAtOnce(rule: string, shape: string): Result {
  const result = grammar.match(shape, rule);
  if (!result.failed()) return { matched: true, tree: semantics(result).node({ shape, actionOf }) };
  // Finding out what was expected takes a second match, but only for a message.
  const position = result.getRightmostFailurePosition();
  const terminals: string[] = [];
  for (const failure of (result as unknown as WithFailures).getRightmostFailures()) {
    const text = failure.getText();
    // A negative lookahead (`~"using"`) is not something to expect.
    if (!text.startsWith('not ')) terminals.push(text);
  }
  // A terminal of several words fails as a whole; skip those of its words that do match.
  const agreed = (terminal: string): number => {
    let count = 0;
    while (count < terminal.length && terminal.charAt(count) === shape.charAt(position + count)) count++;
    return count;
  };
  const furthest = terminals.reduce((most, terminal) => Math.max(most, agreed(terminal)), 0);
  const expected = new Set(
    terminals
      .filter((terminal) => agreed(terminal) === furthest)
      .map((terminal) => describe(terminal.includes('..') ? terminal : terminal.slice(furthest))),
  );
  return { matched: false, token: position + furthest, expected: [...expected].filter((text) => text !== '').sort() };
}

const classNames: Readonly<Record<string, string>> = {
  [tokenClass.name]: 'a name',
  [tokenClass.path]: 'a name',
  [tokenClass.number]: 'a number',
  [tokenClass.text]: 'text in quotes',
  [tokenClass.raw]: 'some text',
  [tokenClass.lines]: LINES,
  [tokenClass.group]: '',
  [tokenClass.indent]: '',
  [tokenClass.eol]: 'the end of the line',
};

/** The name of a terminal in messages. The range of all keywords means a name. */
function describe(terminal: string): string {
  const known = terminal.includes('..') ? 'a name' : classNames[terminal];
  if (known !== undefined) return known;
  const words = [...terminal].map((character) => wordOf(character) ?? character);
  return `"${words.join(' ')}"`;
}
