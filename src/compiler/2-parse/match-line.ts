// Matches lines against the grammar with Ohm. A match and its semantic actions run once for each shape of a line, and are cached. A shape with
// deeply nested brackets is matched in parts, because Ohm would overflow the stack on the whole.
import { loadGrammar } from 'wf:grammar';
import type { Grammar, Semantics } from 'ohm-js';
import { tokenClass, wordCharacter } from '../1-layout/alphabet.js';
import type { Line } from '../1-layout/line.js';
import { inputActions, sectionActions, serviceActions, tableActions } from './actions/sections.js';
import { callOptionActions, loopActions, statementActions, waitActions } from './actions/statements.js';
import { conditionActions, expressionActions, operationActions, primaryActions } from './actions/values.js';
import { expectedAt } from './explain/expected-at.js';
import type { LineRules } from './line-node.js';
import type { Actions, Read, Source } from './source.js';

interface LineMatch<T> {
  readonly matched: true;
  readonly read: Read<T>;
}

export interface LineFailure {
  readonly matched: false;
  /** Index of the first token that does not fit, or the number of tokens if the line ends too early. */
  readonly token: number;
  /** Words, punctuation and token classes that would have fitted there, in terms for people. */
  readonly expected: readonly string[];
}

const USING = wordCharacter('using') ?? '';

/** Size of the cache; a file has a few hundred shapes. */
const MAX_SHAPES = 20_000;
const shapes = new Map<string, LineMatch<unknown> | LineFailure>();

/** INDENT and DEDENT. The lines between them are matched one at a time, so the grammar does not see them. */
export const BLOCK = tokenClass.indent + tokenClass.dedent;

/** The end of a line's tokens: its block, or the end of the line. */
export const opens = (children: readonly unknown[]): string => (children.length > 0 ? BLOCK : tokenClass.eol);

/** The grammar rule for a shape: a line without the word `using` can't be a call. */
export const ruleFor = (rule: keyof LineRules, shape: string): string =>
  rule === 'statementLine' && !shape.includes(USING) ? 'plainLine' : rule;

/** Matches the shape of a line, including its block or its end, with `rule`. */
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

/** Whether `rule` matches a shape, block or end included. Cheaper than `matchShape`: nothing is read or explained. */
export function fits(rule: keyof LineRules, shape: string): boolean {
  const key = `${rule} ${shape}`;
  let known = fitting.get(key);
  if (known === undefined) {
    if (fitting.size >= MAX_SHAPES) fitting.clear();
    known =
      shapes.get(key)?.matched ??
      (partsOf(shape) === undefined && language().grammar.match(shape, ruleFor(rule, shape)).succeeded());
    fitting.set(key, known);
  }
  return known;
}

function match(rule: string, shape: string): LineMatch<unknown> | LineFailure {
  const parts = partsOf(shape);
  return parts === undefined ? matchAtOnce(rule, shape) : matchPart(rule, parts);
}

function matchAtOnce(rule: string, shape: string): LineMatch<unknown> | LineFailure {
  const { grammar, semantics } = language();
  const result = grammar.match(shape, rule);
  return result.succeeded()
    ? { matched: true, read: semantics(result).read() }
    : { matched: false, ...expectedAt(result, shape) };
}

/** Matches a part of a deeply nested line, then the groups that were cut out of it. */
function matchPart(rule: string, part: Part): LineMatch<unknown> | LineFailure {
  const { shape, starts, ends, groups } = part;
  if (isUnclosed(part)) return { matched: false, token: (ends.at(-1) ?? 1) - 1, expected: ['")"'] };
  const whole = matchAtOnce(rule, shape);
  if (!whole.matched) return { ...whole, token: starts[whole.token] ?? ends.at(-1) ?? 0 };
  const inner = new Map<number, Read<unknown>>();
  for (const [token, start] of starts.entries()) {
    const group = shape.charAt(token) === tokenClass.group ? groups.get(start) : undefined;
    if (group === undefined) continue;
    const found = matchPart('primary', group);
    if (!found.matched) return found;
    inner.set(token, found.read);
  }
  return { matched: true, read: (source) => whole.read(sourceOfPart(source, part, inner)) };
}

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
  fits('statementLine', line.shape + BLOCK);

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

/** Levels per part; each takes the parser about 45 nested calls. */
const MOST_LEVELS = 40;

/** A stretch of a shape, with its inner groups cut out. */
export interface Part {
  readonly shape: string;
  /** The start and end of each of its tokens in the whole shape. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The groups that were cut out, by start. */
  readonly groups: ReadonlyMap<number, Part>;
}

/** The open brackets at one position of the shape. */
interface Open {
  readonly bracket: string;
  /** Index of the bracket among the remaining tokens. */
  readonly at: number;
  levels: number;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** Maximum number of brackets open at once. */
function levelsOf(shape: string): number {
  if (shape.length <= MOST_LEVELS) return 0;
  let open = 0;
  let most = 0;
  for (let index = 0; index < shape.length; index++) {
    const token = shape.charAt(index);
    if (token === '(' || token === '[') most = Math.max(most, ++open);
    else if (token === ')' || token === ']') open--;
  }
  return most;
}

/** True if unclosed or mismatched brackets leave a part that is too deep to parse. */
const isUnclosed = ({ shape }: Part): boolean => levelsOf(shape) > 2 * MOST_LEVELS;

/** `undefined` for a shape that needs no splitting. */
export function partsOf(shape: string): Part | undefined {
  if (levelsOf(shape) <= MOST_LEVELS) return undefined;
  const groups = new Map<number, Part>();
  const starts: number[] = [];
  const ends: number[] = [];
  const open: Open[] = [];
  let kept = '';
  for (let index = 0; index < shape.length; index++) {
    const token = shape.charAt(index);
    if (token in closing) open.push({ bracket: token, at: kept.length, levels: 0 });
    kept += token;
    starts.push(index);
    ends.push(index + 1);
    if (token !== ')' && token !== ']') continue;
    const group = open.pop();
    const around = open.at(-1);
    // Mismatched brackets are left for the parser to explain.
    if (group === undefined || closing[group.bracket] !== token) continue;
    const levels = group.levels + 1;
    if (levels < MOST_LEVELS) {
      if (around !== undefined) around.levels = Math.max(around.levels, levels);
      continue;
    }
    const from = starts[group.at] ?? 0;
    groups.set(from, { shape: kept.slice(group.at), starts: starts.splice(group.at), ends: ends.splice(group.at), groups });
    kept = kept.slice(0, group.at) + tokenClass.group;
    starts.push(from);
    ends.push(index + 1);
  }
  return { shape: kept, starts, ends, groups };
}

/**
 * The source of a part, in which its tokens have their own numbers.
 * @param source of the whole line @param inner the readers of the groups that were cut out, by the numbers of their tokens
 */
function sourceOfPart(source: Source, { starts, ends }: Part, inner: ReadonlyMap<number, Read<unknown>>): Source {
  const { line } = source;
  const offsets = starts.flatMap((start, token) => {
    const last = (ends[token] ?? start + 1) - 1;
    return [line.offsets[2 * start] ?? line.end, line.offsets[2 * last + 1] ?? line.end];
  });
  return { ...source, line: { ...line, offsets }, nested: (token) => inner.get(token)?.(source) };
}

// The grammar of `wf.ohm` with its semantics: one action for each rule that is more than its only part.

interface Language {
  readonly grammar: Grammar;
  /** Gives each matched node the operation `read`: its reader, which fits every line of the matched shape. */
  readonly semantics: Semantics;
}

let loaded: Language | undefined;

/** Made for the first line, because a program that only runs finished modules parses none. */
export function language(): Language {
  if (loaded === undefined) {
    const grammar = loadGrammar();
    loaded = { grammar, semantics: grammar.createSemantics().addOperation<Read<unknown>>('read', actions()) };
  }
  return loaded;
}

/** Ohm compares the number of parts that each action takes with its rule. */
const actions = (): Actions => ({
  ...sectionActions,
  ...inputActions,
  ...serviceActions,
  ...tableActions,
  ...statementActions,
  ...loopActions,
  ...waitActions,
  ...callOptionActions,
  ...expressionActions,
  ...conditionActions,
  ...operationActions,
  ...primaryActions,
});
