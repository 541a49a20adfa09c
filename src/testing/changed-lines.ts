// The lines of an old version at which a run can begin to differ from one of the new version: a run that reaches none of them does the same in
// both.
import { blocksOf } from '../compiler/2-parse/children.js';
import type { Block, Statement } from '../compiler/2-parse/tree.js';
import type { Checked } from '../compiler/compile.js';
import { headOf } from './changed-settings.js';

type Version = Pick<Checked, 'text' | 'workflow'>;

/** A block, and where it ends. */
interface Part {
  readonly text: string;
  readonly block: Block;
  readonly end: number;
}

/** `undefined`: any run can differ, because something above the workflow has changed that decides what runs do. */
export function changedLines(old: Version, now: Version): ReadonlySet<number> | undefined {
  if (headOf(old).ofRuns !== headOf(now).ofRuns) return undefined;
  const lines = new Set<number>();
  compare(partOf(old), partOf(now), 0, lines);
  return lines;
}

const partOf = ({ text, workflow: { body } }: Version): Part => ({ text, block: body, end: text.length });

/** @param owner the line that leads into the block */
function compare(old: Part, now: Part, owner: number, lines: Set<number>): void {
  let before = owner;
  for (let index = 0; index < Math.max(old.block.length, now.block.length); index++) {
    const [one, other] = [old.block[index], now.block[index]];
    if (one === undefined || other === undefined || !compareStatements(one, other, endOf(old, index), endOf(now, index)))
      // What comes after this place in the block is reached only through it.
      return void lines.add(one?.line ?? before);
    before = one.line;
  }

  /** Whether both do the same up to their blocks, which are compared one by one. */
  function compareStatements(one: Statement, other: Statement, oneEnd: number, otherEnd: number): boolean {
    const [whole, changed] = [old.text.slice(one.span.start, oneEnd), now.text.slice(other.span.start, otherEnd)];
    if (whole.trimEnd() === changed.trimEnd()) return true;
    const [blocks, others] = [partsIn(one, old.text, oneEnd), partsIn(other, now.text, otherEnd)];
    if (blocks === undefined || others === undefined || blocks.heads !== others.heads) return false;
    for (const [index, part] of blocks.parts.entries()) {
      const second = others.parts[index];
      if (second !== undefined) compare(part, second, one.line, lines);
    }
    return true;
  }
}

const endOf = ({ block, end }: Part, index: number): number => block[index + 1]?.span.start ?? end;

/** The blocks of a statement that consists of nothing else but the lines that lead into them. */
function partsIn(statement: Statement, text: string, end: number): { heads: string; parts: Part[] } | undefined {
  if (!['if', 'for each', 'for each field', 'repeat', 'step'].includes(statement.kind)) return undefined;
  const heads =
    statement.kind === 'if'
      ? [...statement.branches, ...(statement.otherwise === undefined ? [] : [statement.otherwise])].map(({ span }) => span)
      : [statement.span];
  return {
    heads: heads.map((span) => text.slice(span.start, span.end)).join('\n'),
    parts: blocksOf(statement).map((block, index) => ({ text, block, end: heads[index + 1]?.start ?? end })),
  };
}
