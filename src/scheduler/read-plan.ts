// Determines when a workflow is due and how its runs are treated, from the command's options and from its file.
import type { WorkflowInfo } from '../../runtime/types.js';
import { similarTimezone } from '../compiler/diagnostics/suggest.js';
import { readWhole } from '../engine/shared-options.js';
import { UsageError } from '../engine/usage-error.js';
import { type CronExpression, parseCron } from '../timetable/cron-expression.js';
import { nextDue, nextDues } from '../timetable/next-due.js';
import { FORMS, NEVER_DUE_HINT, readSchedule, wordsToCron } from '../timetable/words-to-cron.js';
import { Zone } from '../timetable/zone.js';

/** As they come from the command line; numbers are still text. */
export interface PlanOptions {
  readonly every?: string | undefined;
  readonly cron?: string | undefined;
  readonly timezone?: string | undefined;
  readonly jitter?: string | undefined;
  readonly grace?: string | undefined;
  readonly timeout?: string | undefined;
}

export interface Plan {
  readonly cron: CronExpression;
  readonly zone: Zone;
  /** The name given by `--timezone`. `today` uses it, too, in a file without a time zone. */
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

/** The workflow's own timetable in `config:`. */
type OwnTimetable = Pick<WorkflowInfo, 'schedule' | 'timezone'>;

/** Whether the command line says when to run; otherwise the workflows do. */
export const namesSchedule = ({ every, cron }: PlanOptions): boolean => every !== undefined || cron !== undefined;

/**
 * Reads the plan of a workflow.
 * @param now milliseconds since 1970
 * @throws UsageError if options exclude each other, are missing or out of range, or can never be due
 */
export function readPlan(options: PlanOptions, now: number, own: OwnTimetable = {}): Plan {
  const cron = namesSchedule(options) ? readCron(options) : cronOf(own);
  const zone = zoneOf(options, own);
  if (nextDue(cron, zone, now) === undefined)
    throw new UsageError(`The cron expression "${cron.text}" is never due.`, NEVER_DUE_HINT);
  const jitter = readWhole('--jitter', options.jitter, 0, DAY_SECONDS) ?? 0;
  if (jitter > 0) checkJitter(jitter, nextDues(cron, zone, now, DUES_TO_COMPARE));
  return {
    cron,
    zone,
    timezone: options.timezone === undefined ? undefined : readZone(options.timezone).name,
    jitterMs: jitter * 1000,
    graceMs: (readWhole('--grace', options.grace, 0, DAY_SECONDS) ?? DEFAULT_GRACE_SECONDS) * 1000,
    timeoutMs: (readWhole('--timeout', options.timeout, 0, 7 * DAY_SECONDS) ?? 0) * 1000,
  };
}

function readCron({ every, cron }: PlanOptions): CronExpression {
  if (every !== undefined && cron !== undefined) {
    throw new UsageError('Use either --every or --cron, not both.');
  }
  return every === undefined ? parseCron(cron ?? '') : parseCron(wordsToCron(every), { lastDay: true });
}

function cronOf({ schedule }: OwnTimetable): CronExpression {
  if (schedule === undefined)
    throw new UsageError(
      'When should the workflow run? Use --every or --cron, or write a schedule into its config:.',
      `config:\n    schedule: "weekday at 9:00"\n${FORMS}`,
    );
  const read = readSchedule(schedule);
  // The check has seen it; a built module may come from another version.
  if (!read.ok) throw new UsageError(read.problem, read.hint);
  return read.cron;
}

/**
 * A timetable in a file means the same on every machine: it uses the file's own zone, or `--timezone`, or UTC. One from the command line
 * belongs to this machine: it uses `--timezone`, or the file's zone, or the machine's.
 */
function zoneOf(options: PlanOptions, { timezone }: OwnTimetable): Zone {
  return namesSchedule(options) ? readZone(options.timezone ?? timezone) : readZone(timezone ?? options.timezone ?? 'UTC');
}

/** A run that starts after the next one is due would take its place. */
function checkJitter(jitter: number, dues: readonly number[]): void {
  const gaps = dues.slice(1).map((due, index) => due - (dues[index] ?? 0));
  const shortest = Math.min(...gaps) / 1000;
  if (jitter < shortest) return;
  throw new UsageError(`--jitter ${jitter} is too long: this schedule has due times only ${shortest} seconds apart.`);
}

/**
 * The zone named by `--timezone`, or the machine's.
 * @throws UsageError if the name is not an IANA time zone
 */
export function readZone(given: string | undefined): Zone {
  const name = given ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
  try {
    // Newer releases of Node.js accept "+02:00", older ones don't. A schedule must not depend on that.
    if (!/^[+-]/.test(name)) return new Zone(name);
  } catch {
    if (given === undefined) return new Zone('UTC');
  }
  const near = similarTimezone(name);
  throw new UsageError(
    `I don't know the time zone "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    'Use an IANA name, for example Europe/Berlin, America/New_York, Africa/Lagos or UTC.',
  );
}
