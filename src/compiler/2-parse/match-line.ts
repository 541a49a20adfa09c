// One line → what it is, by a rule of the grammar. The match and its semantic actions run once for each shape of line and are kept;
// a match that fails keeps the place of the failure and what would have fitted there.
import { loadGrammar } from 'wf:grammar';
import { tokenClass, wordCharacter, wordOf } from '../1-layout/alphabet.js';
import type { LineRules } from './line-node.js';
import { lineActions } from './read-lines.js';
import { valueActions } from './read-values.js';
import type { Read, Source } from './source.js';

export interface LineFailure {
  readonly matched: false;
  /** Index of the first token that does not fit; the number of tokens where the line ends too early. */
  readonly token: number;
  /** Words, marks and classes of tokens that would have fitted there, as people call them. */
  readonly expected: readonly string[];
}

export interface LineMatch<T> {
  readonly matched: true;
  readonly read: Read<T>;
}

const grammar = loadGrammar();
const semantics = grammar.createSemantics().addOperation<unknown>('read', { ...lineActions, ...valueActions });

const USING = wordCharacter('using') ?? '';

/** Shapes that are kept; a file has some hundred. */
const MAX_SHAPES = 20_000;
const shapes = new Map<string, LineMatch<unknown> | LineFailure>();

/** The character of the grammar behind the last token of a line. */
export const opens = (children: readonly unknown[]): string => (children.length > 0 ? tokenClass.indent : tokenClass.eol);

/** Matches the shape of a line, its closing character included, by `rule`. */
export function matchShape<R extends keyof LineRules>(rule: R, shape: string): LineMatch<LineRules[R]> | LineFailure {
  const key = `${rule} ${shape}`;
  let known = shapes.get(key);
  if (known === undefined) {
    if (shapes.size >= MAX_SHAPES) shapes.clear();
    known = match(rule === 'statementLine' && !shape.includes(USING) ? 'plainLine' : rule, shape);
    shapes.set(key, known);
  }
  return known as LineMatch<LineRules[R]> | LineFailure; // the key holds the rule
}

/** Part of every failed match; Ohm's type declarations leave it out. */
interface WithFailures {
  getRightmostFailures(): readonly { getText(): string }[];
}

function match(rule: string, shape: string): LineMatch<unknown> | LineFailure {
  const result = grammar.match(shape, rule);
  if (!result.failed()) return { matched: true, read: semantics(result)['read']() as (source: Source) => unknown }; // every action gives a reader
  // What was expected costs a second match, which is worth it for a message.
  const position = result.getRightmostFailurePosition();
  const terminals: string[] = [];
  for (const failure of (result as unknown as WithFailures).getRightmostFailures()) terminals.push(failure.getText());
  // A terminal of several words fails as a whole: the place at fault is behind those of its words that are there.
  const agreed = (terminal: string): number => {
    let count = 0;
    while (count < terminal.length && terminal.charAt(count) === shape.charAt(position + count)) count++;
    return count;
  };
  const furthest = terminals.reduce((most, terminal) => Math.max(most, agreed(terminal)), 0);
  const expected = new Set(terminals.filter((terminal) => agreed(terminal) === furthest).map((terminal) => describe(terminal.includes('..') ? terminal : terminal.slice(furthest))));
  return { matched: false, token: position + furthest, expected: [...expected].filter((text) => text !== '').sort() };
}

const classNames: Readonly<Record<string, string>> = {
  [tokenClass.name]: 'a name',
  [tokenClass.path]: 'a name',
  [tokenClass.number]: 'a number',
  [tokenClass.text]: 'a quoted text',
  [tokenClass.raw]: 'some text',
  [tokenClass.indent]: '',
  [tokenClass.eol]: 'the end of the line',
};

/** What a terminal of the grammar is called in a message; the range of all words stands for a name. */
function describe(terminal: string): string {
  const known = terminal.includes('..') ? 'a name' : classNames[terminal];
  if (known !== undefined) return known;
  const words = [...terminal].map((character) => wordOf(character) ?? character);
  return `"${words.join(' ')}"`;
}
