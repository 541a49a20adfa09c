// Which values later lines read: states that differ in nothing else are the same for them.
import type { Block, Expression, Statement } from '../compiler/2-parse/tree.js';
import { assignedBy, blocksOf, expressionsOf, referencesIn } from '../compiler/2-parse/walk.js';
import type { Atom, Sym } from './symbolic.js';

/** Whether later lines read a variable, or a field of the request: `request.total`. */
export type IsRead = (name: string) => boolean;

/** Everything of the request. */
const WHOLE_REQUEST = 'request';

/** For each block, the last of its statements that reads a name. */
export class Liveness {
  readonly #lastReads = new WeakMap<Block, ReadonlyMap<string, number>>();
  /** The blocks around the current place, the innermost last, with the index of the statement in each. */
  readonly #open: { readonly block: Block; index: number; readonly isLoop: boolean }[] = [];

  enter(block: Block, isInLoop: boolean): void {
    this.#open.push({ block, index: -1, isLoop: isInLoop });
  }

  leave(): void {
    this.#open.pop();
  }

  /** The walk is in this statement of the innermost block, and may come back to what it reads. */
  at(index: number): void {
    this.after(index - 1);
  }

  /** The walk is past this statement of the innermost block. */
  after(index: number): void {
    const innermost = this.#open.at(-1);
    if (innermost !== undefined) innermost.index = index;
  }

  readonly isRead: IsRead = (name) =>
    this.#open.some(({ block, index, isLoop: again }) => {
      const last = this.#readsOf(block).get(name) ?? -1;
      return again ? last >= 0 : last > index;
    }) ||
    (name.startsWith('request.') && this.isRead(WHOLE_REQUEST));

  #readsOf(block: Block): ReadonlyMap<string, number> {
    const known = this.#lastReads.get(block);
    if (known !== undefined) return known;
    const reads = new Map<string, number>();
    for (const [index, statement] of block.entries()) for (const name of namesRead(statement)) reads.set(name, index);
    this.#lastReads.set(block, reads);
    return reads;
  }
}

const namesOfStatement = new WeakMap<Statement, ReadonlySet<string>>();

/** The names that a statement reads, or sets in part, in its blocks as well. */
function namesRead(statement: Statement): ReadonlySet<string> {
  const known = namesOfStatement.get(statement);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const look = (expression: Expression): void => {
    for (const { root, fields } of referencesIn(expression))
      names.add(root === 'request' && fields[0] !== undefined ? `request.${fields[0]}` : root);
  };
  for (const { expression } of expressionsOf(statement)) look(expression);
  for (const { name } of assignedBy(statement)) names.add(name);
  for (const block of blocksOf(statement)) for (const inner of block) for (const name of namesRead(inner)) names.add(name);
  namesOfStatement.set(statement, names);
  return names;
}

const roots = new WeakMap<Sym, ReadonlySet<string>>();

/** What a value is made of: fields of the request, answers, values that are not followed. */
export function rootsOf(value: Sym): ReadonlySet<string> {
  const known = roots.get(value);
  if (known !== undefined) return known;
  const found = findRoots(value);
  roots.set(value, found);
  return found;
}

const none: ReadonlySet<string> = new Set();

function findRoots(value: Sym): ReadonlySet<string> {
  switch (value.is) {
    case 'known':
      return none;
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

function rootsOfAtom(atom: Atom): ReadonlySet<string> {
  const { origin } = atom;
  if (origin.is === 'operation') return origin.operands.length === 0 ? new Set([EVERYTHING]) : united(origin.operands);
  if (origin.is === 'item') return new Set([...rootsOf(origin.list), atom.key]);
  if (origin.is !== 'field') return new Set([atom.key]);
  if (origin.owner.origin.is === 'request') return new Set([`request.${origin.field}`]);
  return rootsOf(origin.owner);
}
