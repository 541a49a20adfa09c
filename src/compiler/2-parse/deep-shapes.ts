// Splits a shape with deeply nested brackets into shallow ones, because the parser would overflow the stack on the whole. Each inner group
// becomes a single token of the part around it.
import { tokenClass } from '../1-layout/alphabet.js';
import type { Read, Source } from './source.js';

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
export const isUnclosed = ({ shape }: Part): boolean => levelsOf(shape) > 2 * MOST_LEVELS;

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
export function sourceOfPart(source: Source, { starts, ends }: Part, inner: ReadonlyMap<number, Read<unknown>>): Source {
  const { line } = source;
  const offsets = starts.flatMap((start, token) => {
    const last = (ends[token] ?? start + 1) - 1;
    return [line.offsets[2 * start] ?? line.end, line.offsets[2 * last + 1] ?? line.end];
  });
  return { ...source, line: { ...line, offsets }, nested: (token) => inner.get(token)?.(source) };
}
