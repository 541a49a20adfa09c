// Names a line with a `log` in one branch of a run. Branches take turns, so only within one of them do entries have an order.

/** @param branch `""` for the run itself, else its path: `4.0/2.17` */
export const placeOfLog = (branch: string, line: number): string => `${branch}#${line}`;
