// The options of `wf schedule` in, a plan out: when, where, and how long. Everything that is wrong with them is said here, before
// anything else happens.

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
  /** Milliseconds; 0 is none. */
  readonly jitterMs: number;
  readonly graceMs: number;
  /** The longest run in milliseconds; 0 is no limit. */
  readonly timeoutMs: number;
}

const DAY_SECONDS = 86_400;
const DEFAULT_GRACE_SECONDS = 30;
/** Enough to meet each gap of a day that comes in steps. */
const DUES_TO_COMPARE = 200;

/**
 * Reads the plan (`service.md` 4.1, `behaviour.md` 5).
 * @param now milliseconds since 1970
 * @throws UsageError for options that exclude each other, are missing, out of range, or can never be due.
 */
export function readPlan(options: PlanOptions, now: number): Plan {
  const cron = parseCron(cronText(options));
  const zone = readZone(options.timezone);
  if (nextDue(cron, zone, now) === undefined) {
    const hint = 'The day of the month does not exist in the months that it names; check the third and the fourth field.';
    throw new UsageError(`The cron expression "${cron.text}" is never due.`, hint);
  }
  if (options.catchUp && options.state === undefined) {
    throw new UsageError('--catch-up needs --state <file>: it remembers there which due times it has seen.');
  }
  if (options.state === '') throw new UsageError('--state is empty; expected the path of a file.');
  const jitter = readWhole('--jitter', options.jitter, 0, DAY_SECONDS) ?? 0;
  if (jitter > 0) checkJitter(jitter, nextDues(cron, zone, now, DUES_TO_COMPARE));
  return {
    cron,
    zone,
    jitterMs: jitter * 1000,
    graceMs: (readWhole('--grace', options.grace, 0, DAY_SECONDS) ?? DEFAULT_GRACE_SECONDS) * 1000,
    timeoutMs: (readWhole('--timeout', options.timeout, 0, 7 * DAY_SECONDS) ?? 0) * 1000,
  };
}

function cronText({ every, cron }: PlanOptions): string {
  if (every !== undefined && cron !== undefined) {
    throw new UsageError('--every and --cron cannot be used together; give one of them.');
  }
  if (every !== undefined) return wordsToCron(every);
  if (cron !== undefined) return cron;
  throw new UsageError('A schedule needs --every or --cron to say when it runs.', FORMS);
}

/** A run that starts after the next one is due would take its place. */
function checkJitter(jitter: number, dues: readonly number[]): void {
  const gaps = dues.slice(1).map((due, index) => due - (dues[index] ?? 0));
  const shortest = Math.min(...gaps) / 1000;
  if (jitter < shortest) return;
  throw new UsageError(`--jitter ${jitter} is too long: two due times of this schedule lie only ${shortest} seconds apart.`);
}
