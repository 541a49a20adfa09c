// Tells statements from options of the statement above them.
import type { Line } from '../1-layout/line.js';
import { fits, opens } from './match-line.js';

/** Whether the line is a statement, complete or opening a block. A broken line is none. */
export const isStatementLine = (line: Line): boolean =>
  line.fault === undefined && fits('statementLine', line.shape + opens(line.children));
