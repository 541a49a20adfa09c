// Addresses inside a run. A branch has a path: `4.0/2.1` is branch 1 of the block at position 2 of branch 0 of the block at position 4; the
// run itself has an empty path. An effect is `4.0#2` in stores and `4.0-2` in keys.
/** The path of the branch around a branch. */
export const outerBranch = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The common part of the paths of a block's branches: `4`, `4.0/2`. @param seq its position in the branch around it */
export const pathOfBlock = (branch: string, seq: number | null): string => (branch === '' ? `${seq}` : `${branch}/${seq}`);

/** The position of the block of a branch, in the branch around it. */
export const blockOf = (path: string): number => Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 10);

/** Identifies an effect of a run: in its journal, and as the address of messages and answers. @param seq position in the branch */
export const addressOfEffect = (branch: string, seq: number | null): string => `${branch}#${seq}`;

/** Reads an address that `addressOfEffect` has made. */
export function readEffectAddress(address: string): { readonly branch: string; readonly seq: number } {
  const end = address.lastIndexOf('#');
  return { branch: address.slice(0, Math.max(0, end)), seq: Number(address.slice(end + 1)) };
}

/** Whether a branch is this other one, or inside of it. */
export const isInside = (branch: string, around: string): boolean => branch === around || branch.startsWith(`${around}/`);

/** Orders paths so that what is inside of a branch, and ends before it, comes before it. */
export const deepestFirst = (one: string, other: string): number => other.length - one.length;

/** Orders branches so that inner ones come first. */
export const innermostFirst = ({ path: one }: { readonly path: string }, { path: other }: { readonly path: string }): number =>
  deepestFirst(one, other);

/** @param branch `""` for the run itself, otherwise its path: `4.0/2.17` */
export const logAddress = (branch: string, line: number): string => `${branch}#${line}`;

/** Identifies a position for keys. */
export const keyAddress = (branch: string, seq: number): string => (branch === '' ? String(seq) : `${branch}-${seq}`);

/** Whether a block around a branch has ended. @param ended the effects that have an end, as `addressOfEffect` writes them */
export function isBranchOver(path: string, ended: ReadonlySet<string>): boolean {
  if (path === '') return false;
  const outer = outerBranch(path);
  return ended.has(addressOfEffect(outer, blockOf(path))) || isBranchOver(outer, ended);
}
