// Validates the options of `wf schedule`, before anything else happens.

import { readWhole } from '../engine/read-number.js';
import { UsageError } from '../engine/usage-error.js';
import { type CronExpression, parseCron } from './cron-expression.js';
import { nextDue, nextDues } from './next-due.js';
import { FORMS, wordsToCron } from './words-to-cron.js';
import { readZone, type Zone } from './zone.js';

/** As they come from the command line; numbers are still text. */
export interface PlanOptions {
  readonly every?: string | undefined;
  readonly cron?: string | undefined;
  readonly timezone?: string | undefined;
  readonly jitter?: string | undefined;
  readonly grace?: string | undefined;
  readonly timeout?: string | undefined;
  readonly catchUp?: boolean | undefined;
  readonly state?: string | undefined;
}

export interface Plan {
  readonly cron: CronExpression;
  readonly zone: Zone;
  /** The name given by `--timezone`. `today` in the runs uses it, too. */
  readonly timezone: string | undefined;
  /** Milliseconds; 0 for none. */
  readonly jitterMs: number;
  readonly graceMs: number;
  /** Time limit of a run in milliseconds; 0 for none. */
  readonly timeoutMs: number;
}

const DAY_SECONDS = 86_400;
const DEFAULT_GRACE_SECONDS = 30;
/** Enough to include every different gap of a day. */
const DUES_TO_COMPARE = 200;

/**
 * Reads the plan.
 * @param now milliseconds since 1970
 * @throws UsageError if options exclude each other, are missing or out of range, or can never be due
 */
export function readPlan(options: PlanOptions, now: number): Plan {
  const cron = readCron(options);
  const zone = readZone(options.timezone);
  if (nextDue(cron, zone, now) === undefined) {
    const hint = 'These months have no such day. Check the third and fourth fields.';
    throw new UsageError(`The cron expression "${cron.text}" is never due.`, hint);
  }
  if (options.catchUp && options.state === undefined) {
    throw new UsageError('--catch-up needs --state <file>, which records the due times that have passed.');
  }
  if (options.state === '') throw new UsageError('--state needs the path of a file.');
  const jitter = readWhole('--jitter', options.jitter, 0, DAY_SECONDS) ?? 0;
  if (jitter > 0) checkJitter(jitter, nextDues(cron, zone, now, DUES_TO_COMPARE));
  return {
    cron,
    zone,
    timezone: options.timezone === undefined ? undefined : zone.name,
    jitterMs: jitter * 1000,
    graceMs: (readWhole('--grace', options.grace, 0, DAY_SECONDS) ?? DEFAULT_GRACE_SECONDS) * 1000,
    timeoutMs: (readWhole('--timeout', options.timeout, 0, 7 * DAY_SECONDS) ?? 0) * 1000,
  };
}

function readCron({ every, cron }: PlanOptions): CronExpression {
  if (every !== undefined && cron !== undefined) {
    throw new UsageError('Use either --every or --cron, not both.');
  }
  if (every !== undefined) return parseCron(wordsToCron(every), { lastDay: true });
  if (cron !== undefined) return parseCron(cron);
  throw new UsageError('When should the workflow run? Use --every or --cron.', FORMS);
}

/** A run that starts after the next one is due would take its place. */
function checkJitter(jitter: number, dues: readonly number[]): void {
  const gaps = dues.slice(1).map((due, index) => due - (dues[index] ?? 0));
  const shortest = Math.min(...gaps) / 1000;
  if (jitter < shortest) return;
  throw new UsageError(`--jitter ${jitter} is too long: this schedule has due times only ${shortest} seconds apart.`);
}
