// One line → what it is, by a rule of the grammar. The match and its semantic actions run once for each shape of line and are kept;
// the shapes of common lines were matched when wf was built, so that most files need no parser at all.
import { tokenClass, wordCharacter } from '../1-layout/alphabet.js';
import { actions } from './actions.js';
import type { LineRules } from './line-node.js';
import type { LineFailure } from './match-with-ohm.js';
import type { Read } from './source.js';
import { type Kept, SyntaxNode } from './syntax-node.js';

export type { LineFailure };

export interface LineMatch<T> {
  readonly matched: true;
  readonly read: Read<T>;
}

// Parts that are loaded at their first use: the parser takes as long to start as everything else together.
declare function require(module: './match-with-ohm.js'): typeof import('./match-with-ohm.js');
declare function require(module: './kept-shapes.js'): typeof import('./kept-shapes.js');

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
    known = match(key, rule === 'statementLine' && !shape.includes(USING) ? 'plainLine' : rule, shape);
    shapes.set(key, known);
  }
  return known as LineMatch<LineRules[R]> | LineFailure; // the key holds the rule
}

function match(key: string, rule: string, shape: string): LineMatch<unknown> | LineFailure {
  const { commonShapes } = require('./kept-shapes.js');
  const common = Object.hasOwn(commonShapes, key) ? commonShapes[key] : undefined;
  if (common !== undefined) return reading(JSON.parse(common), shape);
  const result = require('./match-with-ohm.js').matchWithOhm(rule, shape);
  return result.matched ? reading(result.tree, shape) : result;
}

const reading = (tree: Kept, shape: string): LineMatch<unknown> => ({
  matched: true,
  read: new SyntaxNode(tree, shape, actions).read(),
});

/** For the build: the trees of all shapes that match, by the key under which they are looked up. */
export function matchForBuild(rule: keyof LineRules, shape: string): readonly [key: string, tree: string] | undefined {
  const result = require('./match-with-ohm.js').matchWithOhm(
    rule === 'statementLine' && !shape.includes(USING) ? 'plainLine' : rule,
    shape,
  );
  return result.matched ? [`${rule} ${shape}`, JSON.stringify(result.tree)] : undefined;
}
