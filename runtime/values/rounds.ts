// `repeat at most N times`: checks the number of rounds.
import { countFor } from '../lists/list-operand.js';
import type { SourceLocation, Value } from '../types.js';

/** @throws WfError for anything but a whole number from 0 */
export const roundsOf = (most: Value, location?: SourceLocation): number => countFor('rounds', most, 0, location, 3);
