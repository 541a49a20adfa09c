// Paths of concurrent branches: `4.0/2.1` is branch 1 of the block at position 2 of a branch, itself branch 0 of the block at position 4 of
// the run. The run itself has an empty path.

/** The path of the branch around a branch. */
export const outerBranch = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The position of the block of a branch, in the branch around it. */
export const blockOf = (path: string): number => Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 10);
