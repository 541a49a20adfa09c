// Checks `reject with …`.
import type { Reject } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';

export const checkReject = (checker: Checker, { message }: Reject): void => void checker.expression(message);
