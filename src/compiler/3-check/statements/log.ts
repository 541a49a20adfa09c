// Checks `log …`.
import type { Log } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';

export const checkLog = (checker: Checker, { value }: Log): void => void checker.expression(value);
