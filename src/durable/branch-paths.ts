// Paths of concurrent branches: `4.0/2.1` is branch 1 of the block at position 2 of a branch, itself branch 0 of the block at position 4 of
// the run. The run itself has an empty path.

/** The path of the branch around a branch. */
export const outerBranch = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The common part of the paths of a block's branches: `4`, `4.0/2`. @param seq its position in the branch around it */
export const pathOfBlock = (branch: string, seq: number | null): string => (branch === '' ? `${seq}` : `${branch}/${seq}`);

/** The position of the block of a branch, in the branch around it. */
export const blockOf = (path: string): number => Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 10);

/** Identifies an effect of a run: in its journal, and as the address of messages and answers. @param seq position in the branch */
export const effectPlace = (branch: string, seq: number | null): string => `${branch}#${seq}`;

/** What `effectPlace` has joined. */
export function atEffectPlace(place: string): { readonly branch: string; readonly seq: number } {
  const end = place.lastIndexOf('#');
  return { branch: place.slice(0, Math.max(0, end)), seq: Number(place.slice(end + 1)) };
}

/** Whether a branch is this other one, or inside of it. */
export const isInside = (branch: string, around: string): boolean => branch === around || branch.startsWith(`${around}/`);

/** Orders paths so that what is inside of a branch, and ends before it, comes before it. */
export const deepestFirst = (one: string, other: string): number => other.length - one.length;

/** The same for branches. */
export const innermostFirst = ({ path: one }: { readonly path: string }, { path: other }: { readonly path: string }): number =>
  deepestFirst(one, other);
