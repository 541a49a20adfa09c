// Lines that most workflows have → their trees, made when wf is built: from the workflows of the project, and from patterns of lines.
import { tokenClass, wordCharacter } from '../1-layout/alphabet.js';
import { layout } from '../1-layout/layout.js';
import type { Line } from '../1-layout/line.js';
import type { LineRules } from './line-node.js';
import { matchForBuild, opens } from './match-line.js';

const rules: readonly (keyof LineRules)[] = [
  'sectionLine',
  'configLine',
  'serviceLine',
  'serviceOptionLine',
  'headerLine',
  'statementLine',
  'callOptionLine',
  'failureLine',
];

/** Rule and shape → tree as JSON, for every line of `texts` and every pattern. */
export function commonShapesOf(texts: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const add = (shape: string): void => {
    for (const rule of rules) {
      const match = matchForBuild(rule, shape);
      if (match !== undefined) found[match[0]] = match[1];
    }
  };
  const seen = new Set(patterns());
  const visit = (lines: readonly Line[]): void => {
    for (const line of lines) {
      if (line.fault === undefined) seen.add(line.shape + opens(line.children));
      visit(line.children);
    }
  };
  for (const text of texts) visit(layout(text.replace(/^\uFEFF/, '')).lines);
  for (const shape of [...seen].sort()) add(shape);
  return found;
}

/** The shape of a line: words of the language as they are, `n` a name, `p` a path, `d` a number, `t` a text, marks as they are. */
function shapeOf(pattern: string): string {
  const classes: Readonly<Record<string, string>> = {
    n: tokenClass.name,
    p: tokenClass.path,
    d: tokenClass.number,
    t: tokenClass.text,
  };
  return pattern
    .split(' ')
    .map((part) => classes[part] ?? wordCharacter(part) ?? part)
    .join('');
}

const OPERANDS = ['n', 'p', 'd', 't'];
const OPERATORS = ['plus', 'minus', 'times', 'divided by'];
const COMPARATORS = ['is', 'is not', 'is above', 'is below', 'is at least', 'is at most', 'contains'];
const STATES = ['is empty', 'is not empty', 'exists', 'does not exist'];
const READY_MADE = [
  'count of',
  'sum of',
  'first of',
  'last of',
  'uppercase of',
  'lowercase of',
  'number of',
  'text of',
  'trimmed',
];

function* values(): Iterable<string> {
  yield* ['true', 'false', 'empty', '[ ]', '[ t , t ]', '[ t , t , t ]', '[ d , d , d ]'];
  for (const left of ['n', 'p']) {
    for (const operator of OPERATORS) for (const right of ['n', 'p', 'd']) yield `${left} ${operator} ${right}`;
    yield `n plus ( ${left} times p )`;
    yield `n plus ( ${left} times ${left} )`;
    yield `${left} rounded to d places`;
    yield `${left} plus t`;
    for (const name of READY_MADE) yield `${name} ${left}`;
  }
}

function* tests(): Iterable<string> {
  yield* ['n', 'p', 'not n', 'not p'];
  for (const left of ['n', 'p']) {
    for (const comparator of COMPARATORS)
      for (const right of [...OPERANDS, 'true', 'false']) yield `${left} ${comparator} ${right}`;
    for (const state of STATES) yield `${left} ${state}`;
    yield `${left} is between d and d`;
    yield `${left} is one of [ t , t ]`;
    yield `${left} is one of [ t , t , t ]`;
  }
}

function* patterns(): Iterable<string> {
  const line = (pattern: string): string => shapeOf(pattern) + tokenClass.eol;
  const head = (pattern: string): string => shapeOf(pattern) + tokenClass.indent;
  for (const value of [...OPERANDS, ...values()]) for (const place of ['n', 'p']) yield line(`set ${place} to ${value}`);
  for (const value of OPERANDS) {
    for (const place of ['name', 'status', 'result', 'text']) yield line(`set ${place} to ${value}`);
    yield* [line(`add ${value} to n`), line(`log ${value}`), line(`reject with ${value}`), head(`for each n in ${value} :`)];
  }
  for (const test of tests()) yield* [head(`if ${test} :`), head(`otherwise if ${test} :`)];
  for (const words of ['n', 'n n', 'n n n', 'n n n n']) {
    yield head(`step ${words} :`);
    for (const location of ['', ' at t'])
      for (const pairs of ['', ...keysAndValues(2)])
        for (const end of [line, head]) yield end(`${words} using n${location}${pairs}`);
  }
  for (const pairs of keysAndValues(4)) yield line(`complete${pairs}`);
}

/** ` with n p and n t`, up to `most` pairs. */
function* keysAndValues(most: number): Iterable<string> {
  let before = [' with'];
  for (let count = 1; count <= most; count++) {
    const pairs = count === 1 ? ['n n', 'n p', 'n t', 'name p', 'status t', 'text t'] : ['n n', 'n p', 'n t'];
    before = before.flatMap((start) => pairs.map((pair) => `${start}${count === 1 ? '' : ' and'} ${pair}`));
    if (count > 2) before = before.filter((_, index) => index % 4 === 0);
    yield* before;
  }
}
