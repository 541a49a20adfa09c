// Identifies a line with a `log` in one branch of a run. Branches take turns, so entries are only ordered within one of them.

/** @param branch `""` for the run itself, otherwise its path: `4.0/2.17` */
export const placeOfLog = (branch: string, line: number): string => `${branch}#${line}`;
