// Which values later lines read: states that differ in nothing else are the same for them.
import type { Block, Statement } from '../compiler/2-parse/tree.js';
import { blocksOf, expressionsOf, freeReferencesIn, localsOf } from '../compiler/2-parse/walk.js';
import type { Atom, Sym } from './symbolic.js';

/** Whether later lines read a variable, or a field of the request: `request.total`. */
export type IsRead = (name: string) => boolean;

/** Everything of the request. */
const WHOLE_REQUEST = 'request';

/** A statement of a block that reads a name, or else sets it. */
interface Use {
  readonly index: number;
  readonly reads: boolean;
}

/** For each block, which of its statements read a name, and which set it to another value. */
export class Liveness {
  readonly #uses = new WeakMap<Block, ReadonlyMap<string, readonly Use[]>>();
  /** The blocks around the current place, the innermost first, with the index of the statement in each. */
  readonly #open: { readonly block: Block; index: number; readonly isLoop: boolean; readonly isInLoop: boolean }[] = [];

  enter(block: Block, isLoop: boolean): void {
    this.#open.unshift({ block, index: -1, isLoop, isInLoop: isLoop || this.#open[0]?.isInLoop === true });
  }

  leave(): void {
    this.#open.shift();
  }

  /** The walk is past this statement of the innermost block. */
  after(index: number): void {
    const innermost = this.#open[0];
    if (innermost !== undefined) innermost.index = index;
  }

  readonly isRead: IsRead = (name) => this.#isReadHere(name) || (name.startsWith('request.') && this.#isReadHere(WHOLE_REQUEST));

  #isReadHere(name: string): boolean {
    for (const open of this.#open)
      for (const { index, reads } of this.#usesOf(open.block).get(name) ?? []) {
        if (index <= open.index && !open.isLoop) continue;
        if (reads) return true;
        // A round can end before it comes to the line that sets a value again.
        if (!open.isInLoop) return false;
      }
    return false;
  }

  #usesOf(block: Block): ReadonlyMap<string, readonly Use[]> {
    const known = this.#uses.get(block);
    if (known !== undefined) return known;
    const uses = new Map<string, Use[]>();
    const add = (name: string, use: Use): unknown => uses.get(name)?.push(use) ?? uses.set(name, [use]);
    for (const [index, statement] of block.entries()) {
      const read = namesRead(statement);
      for (const name of read) add(name, { index, reads: true });
      if (statement.kind === 'set' && !read.has(statement.target.text)) add(statement.target.text, { index, reads: false });
    }
    this.#uses.set(block, uses);
    return uses;
  }
}

const namesOfStatement = new WeakMap<Statement, ReadonlySet<string>>();

/** The names that a statement reads, or sets in part, in its blocks as well. */
function namesRead(statement: Statement): ReadonlySet<string> {
  const known = namesOfStatement.get(statement);
  if (known !== undefined) return known;
  const names = new Set<string>();
  for (const block of blocksOf(statement)) for (const inner of block) for (const name of namesRead(inner)) names.add(name);
  for (const { text } of localsOf(statement)) names.delete(text);
  for (const { expression } of expressionsOf(statement))
    for (const { root, fields } of freeReferencesIn(expression))
      names.add(root === WHOLE_REQUEST && fields[0] !== undefined ? `request.${fields[0]}` : root);
  if (statement.kind === 'add' || (statement.kind === 'set' && statement.fields.length > 0)) names.add(statement.target.text);
  namesOfStatement.set(statement, names);
  return names;
}

const none: ReadonlySet<string> = new Set();
const roots = new WeakMap<Sym, ReadonlySet<string>>();

/** The sources of a value: fields of the request, answers, values that are not followed. */
export function rootsOf(value: Sym): ReadonlySet<string> {
  if (value.is === 'known') return none;
  const known = roots.get(value) ?? findRoots(value);
  roots.set(value, known);
  return known;
}

function findRoots(value: Exclude<Sym, { is: 'known' }>): ReadonlySet<string> {
  switch (value.is) {
    case 'atom':
      return rootsOfAtom(value);
    case 'linear':
      return united(value.terms.map(({ atom }) => atom));
    case 'record':
      return united([...value.fields.values()]);
    case 'list':
      return united(value.items);
    case 'text':
      return united(value.parts.filter((part) => typeof part !== 'string'));
    case 'test':
      return new Set([EVERYTHING]);
  }
}

/** Of a condition that is kept as a value. */
export const EVERYTHING = '*';

const united = (parts: readonly Sym[]): ReadonlySet<string> => new Set(parts.flatMap((part) => [...rootsOf(part)]));

function rootsOfAtom({ key, origin }: Atom): ReadonlySet<string> {
  if (origin.is === 'operation') return origin.operands.length === 0 ? new Set([EVERYTHING]) : united(origin.operands);
  // Another loop over the list comes to its first item again.
  if (origin.is === 'item' && origin.round === 'first') return rootsOf(origin.list);
  if (origin.is !== 'field') return new Set([key]);
  return origin.owner.origin.is === 'request' ? new Set([`request.${origin.field}`]) : rootsOf(origin.owner);
}
