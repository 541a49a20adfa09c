// Matches a line against a grammar rule. The match and its semantic actions run once per line shape and are cached.
import { tokenClass, wordCharacter } from '../1-layout/alphabet.js';
import type { Line } from '../1-layout/line.js';
import type { LineRules } from './line-node.js';
import { matchByRules } from './match-by-rules.js';
import type { LineFailure } from './match-with-ohm.js';
import type { Read } from './source.js';
import type { SyntaxNode } from './syntax-node.js';

export type { LineFailure };

interface LineMatch<T> {
  readonly matched: true;
  readonly read: Read<T>;
}

// Loaded for the first line that does not match, because Ohm takes as long to start as everything else combined.
declare function require(module: './match-with-ohm.js'): typeof import('./match-with-ohm.js');

const USING = wordCharacter('using') ?? '';

/** Size of the cache; a file has a few hundred shapes. */
const MAX_SHAPES = 20_000;
const shapes = new Map<string, LineMatch<unknown> | LineFailure>();

/** The grammar's character for the end of a line. */
export const opens = (children: readonly unknown[]): string => (children.length > 0 ? tokenClass.indent : tokenClass.eol);

/** The grammar rule for a shape: a line without the word `using` can't be a call. */
export const ruleFor = (rule: keyof LineRules, shape: string): string =>
  rule === 'statementLine' && !shape.includes(USING) ? 'plainLine' : rule;

/** Matches the shape of a line, including its closing character, with `rule`. */
export function matchShape<R extends keyof LineRules>(rule: R, shape: string): LineMatch<LineRules[R]> | LineFailure {
  const key = `${rule} ${shape}`;
  let known = shapes.get(key);
  if (known === undefined) {
    if (shapes.size >= MAX_SHAPES) shapes.clear();
    known = match(ruleFor(rule, shape), shape);
    shapes.set(key, known);
  }
  return known as LineMatch<LineRules[R]> | LineFailure; // the key includes the rule
}

const fitting = new Map<string, boolean>();

/** Whether `rule` matches a shape, closing character included. Much cheaper than `matchShape` if it doesn't: nothing is explained. */
export function fits(rule: keyof LineRules, shape: string): boolean {
  const key = `${rule} ${shape}`;
  let known = fitting.get(key);
  if (known === undefined) {
    if (fitting.size >= MAX_SHAPES) fitting.clear();
    known = matchByRules(ruleFor(rule, shape), shape) !== undefined;
    fitting.set(key, known);
  }
  return known;
}

function match(rule: string, shape: string): LineMatch<unknown> | LineFailure {
  const tree = matchByRules(rule, shape);
  if (tree !== undefined) return reading(tree);
  const result = require('./match-with-ohm.js').matchWithOhm(rule, shape);
  return result.matched ? reading(result.tree) : result;
}

const reading = (tree: SyntaxNode): LineMatch<unknown> => ({ matched: true, read: tree.read() });

/** Whether the line is a statement, complete or opening a block. A broken line is none. */
export const isStatementLine = (line: Line): boolean =>
  line.fault === undefined && fits('statementLine', line.shape + opens(line.children));

const CALL = new RegExp(`^${wordCharacter('ask')}|${wordCharacter('using')}`);

/** Whether the line opens a block but has none. @param queue the lines after it, last first */
export const hasLostBlock = (line: Line, queue: readonly Line[]): boolean =>
  line.fault === undefined &&
  line.children.length === 0 &&
  line.shape.endsWith(':') &&
  queue.length > 0 &&
  fits('statementLine', line.shape + tokenClass.indent);

/** The line with its block, which is taken from the queue. The block of a call is its options. */
export function withLostBlock(line: Line, queue: Line[]): Line {
  if (line.children.length > 0) return line;
  const belongs = (next: Line): boolean =>
    line.shape.endsWith(':') || (CALL.test(line.shape) && fits('callOptionLine', next.shape + opens(next.children)));
  const children: Line[] = [];
  for (let next = queue.at(-1); next !== undefined && belongs(next); next = queue.at(-1)) {
    children.push(next);
    queue.pop();
  }
  return children.length === 0 ? line : { ...line, children };
}
