// The offending line for machine-readable formats: whole, unless it is so long that many faults in it would fill the memory.

const LONGEST = 2000;

export const snippet = (sourceLine: string): string =>
  sourceLine.length <= LONGEST ? sourceLine : `${sourceLine.slice(0, LONGEST)}…`;
