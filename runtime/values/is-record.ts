// Distinguishes records from lists and `empty`, which are objects to JavaScript too.
import type { Value, WfRecord } from '../types.js';

export const isRecord = (value: Value): value is WfRecord => typeof value === 'object' && value !== null && !Array.isArray(value);
