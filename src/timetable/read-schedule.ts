// Parses a schedule in `config:`, in words or as a cron expression, or says why it is invalid.
import { UsageError } from '../engine/usage-error.js';
import { type CronExpression, parseCron } from './cron-expression.js';
import { nextDue } from './next-due.js';
import { wordsToCron } from './words-to-cron.js';
import { Zone } from './zone.js';

export type ReadSchedule =
  | { readonly ok: true; readonly cron: CronExpression }
  | { readonly ok: false; readonly problem: string; readonly hint: string };

export const NEVER_DUE_HINT = 'These months have no such day. Check the third and fourth fields.';

/** Two fields of digits and symbols: no schedule in words starts like this. */
const looksLikeCron = (text: string): boolean => /^\s*[\d*][\d*,/-]*\s+[\d*]/.test(text);

export function readSchedule(text: string): ReadSchedule {
  try {
    const cron = looksLikeCron(text) ? parseCron(text) : parseCron(wordsToCron(text), { lastDay: true });
    if (nextDue(cron, new Zone('UTC'), 0) !== undefined) return { ok: true, cron };
    return { ok: false, problem: `The schedule "${text}" is never due.`, hint: NEVER_DUE_HINT };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ok: false, problem: error.message, hint: error.hint ?? '' };
  }
}
